import type { HarnessCtx } from '@vf/core';
import type { Config } from './config.ts';

/** Kimi Code's names for what it speaks. */
const providerTypes = {
  'chat-completions': 'openai',
  responses: 'openai_responses',
  messages: 'anthropic',
} as const;

export type Dialect = keyof typeof providerTypes;
export const dialects = Object.keys(providerTypes) as readonly Dialect[];

/**
 * What Kimi Code reads from its environment: our endpoint, no retries of its own (the interception server retries), no
 * telemetry or updates.
 */
export function environmentOf(
  {
    config,
    dialect,
    endpoint,
    model,
  }: Pick<HarnessCtx<Config, Dialect>, 'config' | 'dialect' | 'endpoint' | 'model'>,
  home: string,
): Record<string, string> {
  return {
    KIMI_CODE_HOME: home,
    KIMI_MODEL_NAME: model,
    KIMI_MODEL_PROVIDER_TYPE: providerTypes[dialect],
    KIMI_MODEL_BASE_URL: `${endpoint.url}/v1`,
    KIMI_MODEL_API_KEY: endpoint.bearer,
    KIMI_MODEL_MAX_CONTEXT_SIZE: String(config.contextWindow),
    KIMI_LOOP_MAX_ATTEMPTS_PER_STEP: '1',
    KIMI_DISABLE_TELEMETRY: '1',
    KIMI_CODE_NO_AUTO_UPDATE: '1',
    ...(config.maxSteps === undefined
      ? {}
      : { KIMI_LOOP_MAX_STEPS_PER_TURN: String(config.maxSteps) }),
  };
}
