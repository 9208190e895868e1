import type { HarnessCtx, TaskMcpServer } from '@vf/core';
import { allMcpServers } from '@vf/harness-kit';
import type { Config } from './config.ts';

/** pi's names for what it speaks, and what each wants behind the endpoint. */
const apis = {
  'chat-completions': { api: 'openai-completions', path: '/v1' },
  responses: { api: 'openai-responses', path: '/v1' },
  messages: { api: 'anthropic-messages', path: '' },
} as const;

export type Dialect = keyof typeof apis;
export const dialects = Object.keys(apis) as readonly Dialect[];

const daySeconds = 86_400;

type Ctx = Pick<
  HarnessCtx<Config, Dialect>,
  'config' | 'dialect' | 'endpoint' | 'model' | 'systemPrompt' | 'mcp' | 'taskMcp'
>;

/** The files of pi's own folder for one rollout, with bearers in them, by name. */
export function filesOf(ctx: Ctx): Record<string, string> {
  const { config, systemPrompt } = ctx;
  const mcp = allMcpServers(ctx);
  const promptFile = config.systemPrompt === 'replace' ? 'SYSTEM.md' : 'APPEND_SYSTEM.md';
  return {
    'models.json': JSON.stringify({ providers: { vf: providerOf(ctx) } }),
    'settings.json': JSON.stringify({
      // The interception server tries again, and a silent model is the run's business.
      retry: { enabled: false },
      httpIdleTimeoutMs: 'disabled',
      ...config.settings,
    }),
    ...(systemPrompt === null ? {} : { [promptFile]: systemPrompt }),
    ...(mcp.length === 0
      ? {}
      : { 'mcp.json': JSON.stringify({ mcpServers: Object.fromEntries(mcp.map(serverOf)) }) }),
  };
}

function providerOf({ config, dialect, endpoint, model }: Ctx): object {
  const { api, path } = apis[dialect];
  return {
    baseUrl: endpoint.url + path,
    api,
    apiKey: endpoint.bearer,
    models: [
      {
        id: model,
        contextWindow: config.contextWindow,
        maxTokens: config.maxOutput,
        reasoning: config.thinking !== 'off',
        input: ['text', 'image'],
      },
    ],
  };
}

function serverOf(server: TaskMcpServer): [string, object] {
  // Else the tools are hidden behind a scripting tool.
  const common = { exposure: 'direct', timeout: daySeconds };
  if (server.transport === 'stdio')
    return [server.name, { command: server.command, args: server.args, ...common }];
  const { name, url, headers } = server;
  return [name, { url, headers, ...common }];
}
