import type { HarnessCtx } from '@vf/core';
import type { Config } from './config.ts';

/** Variables that carry bearers into Codex; its shell does not get them. */
export const keyVariable = 'VF_CODEX_KEY';
export const mcpVariable = (index: number): string => `VF_CODEX_MCP_KEY_${index}`;

/** A silent model is the run's business, not the agent's. */
const dayMs = 86_400_000;

type Ctx = Pick<HarnessCtx<Config>, 'config' | 'endpoint' | 'model' | 'systemPrompt' | 'mcp'>;

/**
 * Codex's config.toml for one rollout: our endpoint, no retries of its own (the interception server retries), no
 * telemetry, updates or plugin downloads.
 * @param promptFile where the task's system prompt lies, when it replaces Codex's own
 */
export function settingsOf(ctx: Ctx, promptFile: string): Readonly<Record<string, unknown>> {
  const { config, endpoint, model, mcp } = ctx;
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
    ...(mcp.length === 0 ? {} : { mcp_servers: mcpSettings(mcp) }),
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

function mcpSettings(mcp: Ctx['mcp']): object {
  return Object.fromEntries(
    mcp.map(({ name, url }, index) => [
      name,
      // Without `required` an unreachable server is silently absent.
      {
        url,
        bearer_token_env_var: mcpVariable(index),
        required: true,
        tool_timeout_sec: dayMs / 1000,
      },
    ]),
  );
}

function given(key: string, value: unknown): object {
  return value === undefined ? {} : { [key]: value };
}
