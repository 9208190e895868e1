import type { HarnessCtx } from '@vf/core';
import type { Config } from './config.ts';

/** A silent model or tool is the run's business, not the agent's. */
const dayMs = String(86_400_000);

/**
 * What Claude Code reads from its environment: our endpoint, no retries of its own (the interception server
 * retries), no telemetry or updates, one model for everything. The bearer comes from a helper in its settings.
 */
export function environmentOf(
  {
    config,
    endpoint,
    model,
    skills,
  }: Pick<HarnessCtx<Config>, 'config' | 'endpoint' | 'model' | 'skills'>,
  home: string,
): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: endpoint.url,
    CLAUDE_CONFIG_DIR: home,
    // Permissions cannot be skipped as root outside one.
    IS_SANDBOX: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
    // Else one refusal is asked again in six request shapes, and the task's tools are hidden behind a search.
    CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS: '1',
    CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(config.contextWindow),
    CLAUDE_CODE_SUBAGENT_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: model,
    API_TIMEOUT_MS: dayMs,
    MCP_TOOL_TIMEOUT: dayMs,
    // Its own skills fill the list's share of a small window, and others lose their descriptions.
    ...(skills.length === 0 ? {} : { SLASH_COMMAND_TOOL_CHAR_BUDGET: '40000' }),
  };
}
