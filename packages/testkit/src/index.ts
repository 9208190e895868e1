export {
  answerSums,
  byTurn,
  callTool,
  comment,
  cut,
  deliver,
  event,
  fail,
  failInStream,
  finish,
  hang,
  hangUp,
  identity,
  instant,
  pause,
  ping,
  say,
  scriptedModelCommand,
  shellCall,
  solveWithShell,
  startScriptedModel,
  submitting,
  think,
  typing,
  usage,
} from './scripted-model/index.ts';
export type {
  ContentStep,
  CutStep,
  Delivery,
  InstantScript,
  Manner,
  Outcome,
  Pieces,
  PlacedStep,
  RecordedRequest,
  RefusalStep,
  Reply,
  Script,
  ScriptFunction,
  ScriptedModel,
  ScriptedModelOptions,
  ScriptedRequest,
  SettingStep,
  Step,
  WireDialect,
} from './scripted-model/index.ts';
export { makeEpisode } from './factories/episode.ts';
export type { EpisodeOptions } from './factories/episode.ts';
export { makeTokenTrace } from './factories/token-trace.ts';
export type { TokenNode, TokenTraceOptions } from './factories/token-trace.ts';
export { makeTrace } from './factories/trace.ts';
export type { MadeTurn, TraceOptions } from './factories/trace.ts';
export { byteIds, byteTokenizer, byteTokenizerJson } from './tokenizer/byte-tokenizer.ts';
