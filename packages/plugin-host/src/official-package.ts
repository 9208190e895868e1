import type { PluginKind } from '@vf/core';

const houseKinds: ReadonlySet<string> = new Set([
  'dialect',
  'runtime',
  'harness',
  'environment',
  'export',
]);
const houseTasksets: ReadonlySet<string> = new Set([
  'gsm8k',
  'harbor',
  'nemo-gym',
  'openenv',
  'openreward',
]);
const houseIds: ReadonlySet<string> = new Set([
  'docker',
  'modal',
  'prime',
  'interactions',
  'codex',
  'claude-code',
  'kimi-code',
  'opencode',
  'pi',
  'qwen-code',
  'terminus-2',
  'mini-swe-agent',
  'oracle',
  'command',
  'best-of-n',
  'verifiers',
  'csv',
  'hessian',
  'atif',
  'verl',
  'trl',
  'agent-lightning',
  'parquet',
  'otel',
]);

/** The package that most likely brings an id: vf's own where it has one, else the community's naming. */
export function officialPackage(kind: PluginKind, id: string): string {
  const isOurs =
    kind === 'taskset' ? houseTasksets.has(id) : houseKinds.has(kind) && houseIds.has(id);
  return isOurs ? `@vf/${kind}-${id}` : `vf-${kind}-${id}`;
}
