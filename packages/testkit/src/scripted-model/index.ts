export { startScriptedModel } from './server.ts';
export type { ScriptedModel, ScriptedModelOptions } from './server.ts';
export type { Outcome, RecordedRequest } from './recorded-request.ts';
export type {
  ContentStep,
  CutStep,
  Delivery,
  InstantScript,
  Pieces,
  PlacedStep,
  RefusalStep,
  Reply,
  Script,
  ScriptFunction,
  ScriptedRequest,
  SettingStep,
  Step,
  WireDialect,
} from './script.ts';
export {
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
  think,
  usage,
} from './steps.ts';
export { shellCall } from './shell-call.ts';
export { solveWithShell } from './solve-with-shell.ts';
export { toolCall } from './tool-call.ts';
export { fitting, handIn, resultsOf, runShell } from './any-agent.ts';
export { answerSums } from './answer-sums.ts';
export { scriptedModelCommand } from './command.ts';
export { submitting, typing } from './manners.ts';
export type { Manner } from './manners.ts';
