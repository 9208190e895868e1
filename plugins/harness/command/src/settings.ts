import type { Capabilities, HarnessSettings } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import type { Config } from './config.ts';
import { missingCopies } from './copies.ts';
import { faultsOf, mentions, standingPlaceholders } from './placeholders.ts';
import { textsOf } from './texts.ts';

/** What the agent can do follows from what it is handed. */
export function capabilitiesOf(settings: HarnessSettings<Config>): Capabilities {
  const texts = textsOf(settings);
  const takesSystemPrompt = texts.some((text) => mentions(text, 'system_prompt_file'));
  const takesMcp = texts.some((text) => mentions(text, 'mcp_file'));
  return {
    mcp: takesMcp,
    ...(takesMcp ? { taskMcp: ['stdio', 'sse', 'streamable-http'] as const } : {}),
    resume: settings.config.continue !== undefined,
    ...(takesSystemPrompt ? { systemPrompt: 'append' as const } : {}),
  };
}

/** The environment is the run's own table, so the config's schema does not see it. */
export function problemsOf({ config, env }: HarnessSettings<Config>): readonly Problem[] {
  const inEnv = Object.entries(env).flatMap(([name, text]) =>
    faultsOf(text, standingPlaceholders).map((message) => ({
      path: `harness.env.${name}`,
      message,
    })),
  );
  return [...inEnv, ...missingCopies(config)];
}
