import type { PluginKind } from '@vf/core';

/** What vf itself publishes; `@vf/KIND-ID` brings it. */
const house: Readonly<Partial<Record<PluginKind, readonly string[]>>> = {
  taskset: ['gsm8k', 'harbor'],
  harness: [
    'bash',
    'claude-code',
    'codex',
    'command',
    'kimi-code',
    'mini-swe-agent',
    'null',
    'opencode',
    'oracle',
    'pi',
    'qwen-code',
    'terminus-2',
  ],
  runtime: ['docker', 'subprocess'],
  environment: ['best-of-n', 'judge'],
  dialect: ['chat-completions', 'messages', 'responses'],
  export: ['agent-lightning', 'atif', 'csv', 'hessian', 'parquet', 'trl', 'verifiers', 'verl'],
};

/** The package that most likely brings an id: vf's own where it has one, else the community's naming. */
export function officialPackage(kind: PluginKind, id: string): string {
  return house[kind]?.includes(id) === true ? `@vf/${kind}-${id}` : `vf-${kind}-${id}`;
}
