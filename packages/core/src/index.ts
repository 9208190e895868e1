export { z } from 'zod';
export {
  defineDialect,
  defineEnvironment,
  defineExport,
  defineHarness,
  defineRuntime,
  defineTaskset,
  tool,
} from './define/define.ts';
export { capture } from './capture/capture.ts';
export type { Capture } from './capture/capture.ts';
export type { CaptureAbout } from './capture/about.ts';
export { formOf } from './capture/dialect-form.ts';
export type { CaptureOutcome } from './capture/finish.ts';
export type * from './capture/model.ts';
export { rawToolProblems, tasksetProblems } from './define/taskset-problems.ts';
export { manifestSchema, pluginKinds } from './contract/manifest.ts';
export type { Contribution, Manifest, PluginKind } from './contract/manifest.ts';
export { VfError, errorCodes, familyOf, isInfrastructure } from './errors/index.ts';
export type { ErrorCode, Problem, VfErrorOptions } from './errors/index.ts';
export type * from './message.ts';
export type * from './call.ts';
export type * from './contract/client.ts';
export type * from './contract/dialect.ts';
export type * from './contract/environment.ts';
export type * from './contract/export.ts';
export type * from './contract/harness.ts';
export type * from './contract/task-mcp-server.ts';
export type * from './contract/hook.ts';
export type * from './contract/log.ts';
export type * from './contract/tool.ts';
export type * from './contract/program.ts';
export type * from './contract/runtime-api.ts';
export type * from './contract/box.ts';
export type * from './contract/runtime.ts';
export type * from './contract/services.ts';
export type * from './contract/turn-tokens.ts';
export type * from './contract/side-model.ts';
export type {
  AnyHook,
  AnyHookFunction,
  AnyTask,
  AnyTasksetSpec,
  AnyTool,
  Taskset,
  TasksetSpec,
} from './contract/taskset.ts';
export type { Artifact, StageTimeouts, StandardFields, Task, TaskRow } from './contract/task.ts';
export type * from './trace/index.ts';
