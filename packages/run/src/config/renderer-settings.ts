import type { Sampling } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { RendererSettings } from '@vf/train';

type Options = NonNullable<RendererSettings['options']>;

type JsonRecord = Readonly<Record<string, unknown>>;

/** A renderer as a config or a trainer names it. */
export interface RendererSpec {
  /** null: told by the model's name, or, of a trainer, by the server's config. */
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
 * The renderer of a training client: a family's name, or a table with `name` and settings.
 * @throws VfError misfit/no_renderer for a setting that vf does not have: prompts would not be those that are meant
 */
export function readRenderer(config: unknown): RendererSpec {
  const { name, ...given } = isRecord(config) ? config : { name: config };
  const options = rendererOptions(given);
  return { family: unnamed.has(name) ? null : String(name), options };
}

/**
 * What `chat_template_kwargs` of the sampling sets in the renderer.
 * @throws VfError misfit/no_renderer
 */
export function templateOptions({ extra }: Sampling): Options {
  const given = extra?.['chat_template_kwargs'];
  if (given === undefined || given === null) return {};
  if (isRecord(given)) return rendererOptions(given);
  throw new VfError('misfit/no_renderer', 'sampling.chat_template_kwargs is no table', {
    hint: '{ enable_thinking = false }, for one',
  });
}

function rendererOptions(given: JsonRecord): Options {
  let options: Options = {};
  for (const [key, value] of Object.entries(given)) {
    if (value === null) continue;
    const meant = settings[key]?.(value) ?? null;
    if (meant === null) {
      throw new VfError(
        'misfit/no_renderer',
        `the renderer setting ${key} = ${JSON.stringify(value)} is not known here`,
        {
          hint: `leave it out; known: ${Object.keys(settings).join(', ')}`,
        },
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

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
