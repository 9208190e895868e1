export { Trace, stages, sumUsage, truncatingStops } from './trace.ts';
export { thrownAt } from './thrown-at.ts';
export { weightVersions } from './weight-versions.ts';
export type {
  EffectiveTask,
  ExtraUsage,
  RewardRecord,
  RolloutLimits,
  Span,
  Stage,
  Timing,
  TraceAgent,
  TraceError,
  TraceTask,
} from './trace.ts';
export { MessageGraph } from './graph.ts';
export type { Committed, Position, PromptMessage, Restates, SampledReply } from './graph.ts';
export type { Branch } from './branch.ts';
export { firstSampled, tokensOf } from './branch-tokens.ts';
export type { BranchTokens } from './branch-tokens.ts';
export type { CausalLink, NodeTokens, TraceNode } from './node.ts';
export type { ModelCall, ServedToolCall } from './model-call.ts';
export type { Episode } from './episode.ts';
export type { EpisodeRecord } from './record.ts';
export { decodeEpisode, encodeEpisode, episodeToLine } from './codec/episode.ts';
export { decodeTrace, encodeTrace, encodeTurns } from './codec/turns.ts';
export type { Written } from './codec/turns.ts';
export type { RecordForm } from './codec/nodes.ts';
export { canonicalJson, sortedJson } from './canonical-json.ts';
export { promptOf } from '../contract/client.ts';
export { textOf } from '../message.ts';
