import type { HarnessCtx } from '@vf/core';
import type { Config } from './config.ts';

/** Its names for the classes that speak these. */
const modelClasses = { 'chat-completions': 'litellm', responses: 'litellm_response' } as const;

export type Dialect = keyof typeof modelClasses;
export const dialects = Object.keys(modelClasses) as readonly Dialect[];

/** One turn: what is asked, and where its record goes. */
export interface Turn {
  readonly task: string;
  readonly trajectory: string;
  /** null: its own. */
  readonly systemTemplate: string | null;
}

/** Its configuration for one turn, as JSON, which is YAML too: no questions, no limits but the user's. */
export function settingsOf(
  { config, dialect, model }: Pick<HarnessCtx<Config, Dialect>, 'config' | 'dialect' | 'model'>,
  { task, trajectory, systemTemplate }: Turn,
): object {
  const { agent, environment, model: ofModel, ...others } = config.settings;
  return {
    ...others,
    run: { task },
    agent: {
      mode: 'yolo',
      confirm_exit: false,
      cost_limit: 0,
      step_limit: config.maxSteps ?? 0,
      output_path: trajectory,
      ...(systemTemplate === null ? {} : { system_template: systemTemplate }),
      ...record(agent),
    },
    environment: { timeout: config.commandTimeout, ...record(environment) },
    model: {
      model_name: `openai/${model}`,
      model_class: modelClasses[dialect],
      cost_tracking: 'ignore_errors',
      // The client below it tries again by itself.
      model_kwargs: { max_retries: 0 },
      ...record(ofModel),
    },
  };
}

const record = (value: unknown): object =>
  typeof value === 'object' && value !== null ? value : {};

/** A text in which its templates find nothing to fill in. */
export function literally(text: string): string {
  return text.replaceAll(/\{(?=[{%#])/g, "{{ '{' }}");
}

/**
 * What it reads from its environment: our endpoint, one attempt (the interception server retries), no setting up, no
 * list of prices from the network.
 */
export function environmentOf(
  { endpoint }: Pick<HarnessCtx, 'endpoint'>,
  home: string,
): Record<string, string> {
  return {
    OPENAI_API_BASE: `${endpoint.url}/v1`,
    OPENAI_BASE_URL: `${endpoint.url}/v1`,
    OPENAI_API_KEY: endpoint.bearer,
    MSWEA_CONFIGURED: 'true',
    MSWEA_SILENT_STARTUP: '1',
    MSWEA_GLOBAL_CONFIG_DIR: home,
    MSWEA_MODEL_RETRY_STOP_AFTER_ATTEMPT: '1',
    LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  };
}
