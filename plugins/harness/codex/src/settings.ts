import type { HarnessCtx, TaskMcpServer } from '@vf/core';
import type { Config } from './config.ts';

/** Variables that carry bearers into Codex; its shell does not get them. */
export const keyVariable = 'VF_CODEX_KEY';
export const mcpVariable = (index: number): string => `VF_CODEX_MCP_KEY_${index}`;

/** A silent model is the run's business, not the agent's. */
const dayMs = 86_400_000;

type Ctx = Pick<
  HarnessCtx<Config>,
  'config' | 'endpoint' | 'model' | 'systemPrompt' | 'mcp' | 'taskMcp'
>;

/**
 * Codex's config.toml for one rollout: our endpoint, no retries of its own (the interception server retries), no
 * telemetry, updates or plugin downloads.
 * @param promptFile where the task's system prompt lies, when it replaces Codex's own
 */
export function settingsOf(ctx: Ctx, promptFile: string): Readonly<Record<string, unknown>> {
  const { config, endpoint, model, mcp, taskMcp = [] } = ctx;
  const { features, ...extra } = config.extraTools ? { features: {} } : withoutExtraTools;
  return {
    model,
    model_provider: 'vf',
    model_providers: {
      vf: {
        name: 'vf',
        base_url: `${endpoint.url}/v1`,
        env_key: keyVariable,
        wire_api: 'responses',
        request_max_retries: 0,
        stream_max_retries: 0,
        stream_idle_timeout_ms: dayMs,
      },
    },
    check_for_update_on_startup: false,
    analytics: { enabled: false },
    features: { plugins: false, apps: false, ...features },
    ...extra,
    // A login shell would reset PATH to what /etc/profile says.
    allow_login_shell: false,
    shell_environment_policy: {
      exclude: [keyVariable, ...mcp.map((_server, index) => mcpVariable(index))],
    },
    ...promptSettings(ctx, promptFile),
    ...given('model_reasoning_effort', config.reasoningEffort),
    ...given('model_context_window', config.contextWindow),
    ...given('model_auto_compact_token_limit', config.compactAt),
    ...(mcp.length + taskMcp.length === 0 ? {} : { mcp_servers: mcpSettings(mcp, taskMcp) }),
    ...config.settings,
  };
}

const withoutExtraTools = {
  features: { multi_agent: false, goals: false },
  web_search: 'disabled',
};

function promptSettings({ systemPrompt, config }: Ctx, promptFile: string): object {
  if (systemPrompt === null) return {};
  return config.systemPrompt === 'replace'
    ? { model_instructions_file: promptFile }
    : { developer_instructions: systemPrompt };
}

function mcpSettings(mcp: Ctx['mcp'], taskMcp: readonly TaskMcpServer[]): object {
  // Without `required` an unreachable server is silently absent.
  const common = { required: true, tool_timeout_sec: dayMs / 1000 };
  const served = mcp.map(({ name, url }, index) => [
    name,
    { url, bearer_token_env_var: mcpVariable(index), ...common },
  ]);
  const brought = taskMcp.map((server) => [
    server.name,
    server.transport === 'stdio'
      ? { command: server.command, args: server.args, ...common }
      : { url: server.url, http_headers: server.headers, ...common },
  ]);
  return Object.fromEntries([...served, ...brought]);
}

function given(key: string, value: unknown): object {
  return value === undefined ? {} : { [key]: value };
}
