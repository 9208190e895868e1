import type { HarnessCtx, TaskMcpServer } from '@vf/core';
import { allMcpServers } from '@vf/harness-kit';
import type { Config } from './config.ts';

/** AI-SDK packages that are built in, by what they speak. */
const packages = {
  'chat-completions': '@ai-sdk/openai-compatible',
  responses: '@ai-sdk/openai',
  messages: '@ai-sdk/anthropic',
} as const;

export type Dialect = keyof typeof packages;
export const dialects = Object.keys(packages) as readonly Dialect[];

/** A silent tool is the run's business, not the agent's. */
const dayMs = 86_400_000;

type Ctx = Pick<
  HarnessCtx<Config, Dialect>,
  'config' | 'dialect' | 'endpoint' | 'model' | 'systemPrompt' | 'mcp' | 'taskMcp'
>;

/**
 * Its opencode.json for one rollout, with bearers in it: our endpoint, no sharing or updates, one model for everything.
 * @param promptFile where the task's system prompt lies
 */
export function settingsOf(ctx: Ctx, promptFile: string): Readonly<Record<string, unknown>> {
  const { config, dialect, endpoint, model } = ctx;
  const mcp = allMcpServers(ctx);
  const limit = { context: config.contextWindow, output: config.maxOutput };
  const options = { baseURL: `${endpoint.url}/v1`, apiKey: endpoint.bearer, timeout: false };
  return {
    model: `vf/${model}`,
    small_model: `vf/${model}`,
    share: 'disabled',
    autoupdate: false,
    provider: {
      vf: {
        npm: packages[dialect],
        name: 'vf',
        options,
        models: { [model]: { name: model, limit } },
      },
    },
    ...promptSettings(ctx, promptFile),
    ...(config.subAgents ? {} : { permission: { task: 'deny' } }),
    ...(mcp.length === 0 ? {} : { mcp: Object.fromEntries(mcp.map(serverOf)) }),
    ...config.settings,
  };
}

function promptSettings({ systemPrompt, config }: Ctx, promptFile: string): object {
  if (systemPrompt === null) return {};
  return config.systemPrompt === 'replace'
    ? { agent: { build: { prompt: systemPrompt } } }
    : { instructions: [promptFile] };
}

/** It tries both transports at a URL, the newer one first. */
function serverOf(server: TaskMcpServer): [string, object] {
  if (server.transport === 'stdio') {
    const command = [server.command, ...server.args];
    return [server.name, { type: 'local', command, timeout: dayMs }];
  }
  const { name, url, headers } = server;
  return [name, { type: 'remote', url, headers, oauth: false, timeout: dayMs }];
}
