export { describeDialect } from './dialect.ts';
export type { DialectSamples, ReplySample, RequestSample } from './dialect.ts';
export { bodyText, recordedLines, replySampleOf, requestSampleOf } from './dialect/recorded.ts';
export type { EngineCase } from './dialect/recorded.ts';
export { wireOf } from './dialect/wire-of.ts';
export type { Wire, WireReadOptions, WireReply } from './dialect/wire-of.ts';
export { describeRuntime } from './runtime/index.ts';
export type { MakeRuntime, RuntimeGap, RuntimeSuiteOptions } from './runtime/index.ts';
export { describeHarness } from './harness/index.ts';
export type { HarnessSuiteOptions, MakeHarness } from './harness/index.ts';
export { startLookupServer } from './harness/mcp-server.ts';
export type { LookupServer } from './harness/mcp-server.ts';
export { describeStore } from './store/index.ts';
export type {
  JournaledRollout,
  Store,
  StoreSuiteOptions,
  StoreWriter,
  StoredEntry,
  StoredRun,
} from './store/contract.ts';
export { describeExport } from './export/index.ts';
export type { ExportSuiteOptions } from './export/checks.ts';
export { sampleEpisodes } from './export/samples.ts';
export { describeTaskset } from './taskset/index.ts';
export type { MakeTaskset, TasksetSuiteOptions } from './taskset/index.ts';
export { describeEnvironment } from './environment/index.ts';
export type { EnvironmentSuiteOptions, MakeEnvironment } from './environment/index.ts';
