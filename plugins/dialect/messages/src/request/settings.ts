import type { Settings, ToolChoice } from '@vf/core';
import { isObject, listOf, numberOf, objectOf, omit, present, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/**
 * Settings that are one key of the request under another name. What Messages has no key for is spelt as in chat: some
 * servers take it, a token-in client reads it, Anthropic refuses it aloud.
 */
export const plainKeys = {
  model: 'model',
  stream: 'stream',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  maxOutputTokens: 'max_tokens',
  stop: 'stop_sequences',
  seed: 'seed',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
} as const satisfies Partial<Record<keyof Settings, string>>;

const named: readonly string[] = [
  ...Object.values(plainKeys),
  'messages',
  'system',
  'tools',
  'output_config',
  'output_format',
];

/** What a request asks of the model; siblings of the effort and of the format stay in `extra`. */
export function settings(top: JsonObject): Settings {
  const toolChoice = toolChoiceOf(top['tool_choice']);
  const output = objectOf(top['output_config']);
  const outputRest = omit(output, ['effort', 'format']);
  const extra = {
    ...omit(top, toolChoice === null ? named : [...named, 'tool_choice']),
    ...(Object.keys(outputRest).length === 0 ? {} : { output_config: outputRest }),
  };
  const stop = listOf(top['stop_sequences']).filter((item) => typeof item === 'string');
  return present<Settings>({
    model: stringOf(top['model']) ?? '',
    stream: top['stream'] === true,
    temperature: numberOf(top['temperature']),
    topP: numberOf(top['top_p']),
    topK: numberOf(top['top_k']),
    maxOutputTokens: numberOf(top['max_tokens']),
    stop: stop.length === 0 ? null : stop,
    seed: numberOf(top['seed']),
    frequencyPenalty: numberOf(top['frequency_penalty']),
    presencePenalty: numberOf(top['presence_penalty']),
    reasoningEffort: stringOf(output['effort']),
    parallelToolCalls: parallelOf(top['tool_choice']),
    toolChoice,
    responseFormat: responseFormatOf(output['format'] ?? top['output_format']),
    extra: Object.keys(extra).length === 0 ? null : extra,
  });
}

function toolChoiceOf(choice: unknown): ToolChoice | null {
  const { type, name } = objectOf(choice);
  if (type === 'auto' || type === 'none') return type;
  if (type === 'any') return 'required';
  return type === 'tool' && typeof name === 'string' ? { name } : null;
}

function parallelOf(choice: unknown): boolean | null {
  const disabled = objectOf(choice)['disable_parallel_tool_use'];
  return typeof disabled === 'boolean' ? !disabled : null;
}

function responseFormatOf(format: unknown): Settings['responseFormat'] | null {
  if (!isObject(format) || format['type'] !== 'json_schema') return null;
  return { schema: format['schema'] ?? {} };
}

/** `tool_choice` with the settings over what it says now. */
export function writeToolChoice(
  want: Pick<Settings, 'toolChoice' | 'parallelToolCalls'>,
  now: JsonObject,
): JsonObject {
  const choice =
    want.toolChoice === undefined ? { type: 'auto', ...now } : choiceFields(want.toolChoice, now);
  if (want.parallelToolCalls === undefined || choice['type'] === 'none') return choice;
  return { ...choice, disable_parallel_tool_use: !want.parallelToolCalls };
}

function choiceFields(choice: ToolChoice, now: JsonObject): JsonObject {
  if (choice === 'none') return { type: 'none' };
  const kept = omit(now, ['type', 'name']);
  if (typeof choice === 'string') return { type: choice === 'required' ? 'any' : 'auto', ...kept };
  return { type: 'tool', name: choice.name, ...kept };
}

/** `output_config.format`; JSON without a schema has no spelling here. */
export function writeFormat(format: NonNullable<Settings['responseFormat']>): JsonObject {
  return { type: 'json_schema', schema: format === 'json' ? { type: 'object' } : format.schema };
}
