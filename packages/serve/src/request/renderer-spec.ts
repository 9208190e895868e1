import { VfError } from '@vf/core/errors';
import type { RendererSettings } from '@vf/train';
import { isRecord } from './is-record.ts';
import type { JsonRecord } from './is-record.ts';

type Options = NonNullable<RendererSettings['options']>;

/** A renderer as a trainer names it. */
export interface RendererSpec {
  /** null: told by the model's name, or by the server's config. */
  readonly family: string | null;
  readonly options: Options;
}

/** Names of the peer that say: find it out. */
const unnamed = new Set<unknown>(['auto', 'default', null, undefined]);

/** What each setting of the peer means here. Of those that stand for nothing here, only the value that changes nothing. */
const settings: Readonly<Record<string, (value: unknown) => Options | null>> = {
  enable_thinking: (value) => (typeof value === 'boolean' ? { thinking: value } : null),
  thinking: (value) => (typeof value === 'boolean' ? { thinking: value } : null),
  preserve_thinking: (value) => keep(value, true),
  clear_thinking: (value) => keep(value, false),
  truncate_history_thinking: (value) => keep(value, false),
  drop_thinking: (value) => keep(value, false),
  auto_drop_analysis: (value) => keep(value, false),
  thinking_retention: (value) =>
    value === 'all' || value === 'tool_cycle' || value === 'template' ? { retention: value } : null,
  reasoning_effort: (value) =>
    value === 'low' || value === 'medium' || value === 'high' ? { effort: value } : null,
  conversation_start_date: dated,
  date_string: dated,
  image_cache_max: () => ({}),
  add_vision_id: nothing(false),
  use_system_prompt: nothing(true),
  low_effort: nothing(false),
  medium_effort: nothing(false),
  tools_in_user_message: nothing(true),
  model_identity: (value) =>
    typeof value === 'string' && value.includes('MiniMax-M2') ? {} : null,
};

/**
 * The renderer of a training client.
 * @throws VfError misfit/no_renderer for a setting that vf does not have: prompts would not be those that are meant
 */
export function readRenderer(config: unknown): RendererSpec {
  if (!isRecord(config)) return { family: null, options: {} };
  const { name, ...given } = config;
  const options = rendererOptions(given);
  return { family: unnamed.has(name) ? null : String(name), options };
}

/** @throws VfError misfit/no_renderer */
export function rendererOptions(given: JsonRecord): Options {
  let options: Options = {};
  for (const [key, value] of Object.entries(given)) {
    if (value === null) continue;
    const meant = settings[key]?.(value) ?? null;
    if (meant === null) {
      throw new VfError(
        'misfit/no_renderer',
        `the renderer setting ${key} = ${JSON.stringify(value)} is not known here`,
        { hint: 'leave it out, or train with a relayed client (client.type "eval")' },
      );
    }
    options = { ...options, ...meant };
  }
  return options;
}

function keep(value: unknown, when: boolean): Options | null {
  return typeof value === 'boolean' ? { keepThinking: value === when } : null;
}

function dated(value: unknown): Options | null {
  const date = new Date(String(value));
  return Number.isNaN(date.getTime()) ? null : { date };
}

function nothing(usual: unknown): (value: unknown) => Options | null {
  return (value) => (value === usual ? {} : null);
}
