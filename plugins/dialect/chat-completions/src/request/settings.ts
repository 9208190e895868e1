import type { Settings, ToolChoice } from '@vf/core';
import {
  booleanOf,
  isObject,
  listOf,
  numberOf,
  objectOf,
  omit,
  present,
  stringOf,
} from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** Settings that are one key of the request under another name. */
export const plainKeys = {
  model: 'model',
  stream: 'stream',
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  stop: 'stop',
  seed: 'seed',
  reasoningEffort: 'reasoning_effort',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  parallelToolCalls: 'parallel_tool_calls',
} as const satisfies Partial<Record<keyof Settings, string>>;

/** Both spellings of the most tokens of a reply; providers refuse them together. */
export const maxTokensKeys = ['max_completion_tokens', 'max_tokens'] as const;

const named: readonly string[] = [
  ...Object.values(plainKeys),
  ...maxTokensKeys,
  'messages',
  'tools',
  'functions',
  'stream_options',
];

/** What a request asks of the model; keys without a name in `Settings` stay in `extra`. */
export function settings(top: JsonObject): Settings {
  const toolChoice = toolChoiceOf(top['tool_choice']);
  const responseFormat = responseFormatOf(top['response_format']);
  const { include_usage: includeUsage, ...streamOptions } = objectOf(top['stream_options']);
  const said = [
    ...(toolChoice === null ? [] : ['tool_choice']),
    ...(responseFormat === null ? [] : ['response_format']),
  ];
  const unnamed = omit(top, said.length === 0 ? named : [...named, ...said]);
  const extra =
    Object.keys(streamOptions).length === 0
      ? unnamed
      : { ...unnamed, stream_options: streamOptions };
  return present<Settings>({
    model: stringOf(top['model']) ?? '',
    stream: top['stream'] === true,
    temperature: numberOf(top['temperature']),
    topP: numberOf(top['top_p']),
    topK: numberOf(top['top_k']),
    maxOutputTokens: numberOf(top['max_completion_tokens']) ?? numberOf(top['max_tokens']),
    stop: stopOf(top['stop']),
    seed: numberOf(top['seed']),
    reasoningEffort: stringOf(top['reasoning_effort']),
    frequencyPenalty: numberOf(top['frequency_penalty']),
    presencePenalty: numberOf(top['presence_penalty']),
    parallelToolCalls: booleanOf(top['parallel_tool_calls']),
    toolChoice,
    responseFormat,
    includeUsage: booleanOf(includeUsage),
    extra: Object.keys(extra).length === 0 ? null : extra,
  });
}

function stopOf(stop: unknown): readonly string[] | null {
  if (typeof stop === 'string') return [stop];
  const strings = listOf(stop).filter((item) => typeof item === 'string');
  return strings.length === 0 ? null : strings;
}

/** `null` for choices that canonical settings cannot say (`allowed_tools`); they stay among the extra keys. */
function toolChoiceOf(choice: unknown): ToolChoice | null {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  if (!isObject(choice) || choice['type'] !== 'function') return null;
  const name = stringOf(objectOf(choice['function'])['name']);
  return name === null ? null : { name };
}

function responseFormatOf(format: unknown): Settings['responseFormat'] | null {
  if (!isObject(format)) return null;
  if (format['type'] === 'json_object') return 'json';
  if (format['type'] !== 'json_schema') return null;
  const declared = objectOf(format['json_schema']);
  return present<Exclude<Settings['responseFormat'], 'json' | undefined>>({
    name: stringOf(declared['name']),
    schema: declared['schema'] ?? {},
    strict: booleanOf(declared['strict']),
  });
}

export function writeToolChoice(choice: ToolChoice): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: choice };
}

export function writeResponseFormat(format: NonNullable<Settings['responseFormat']>): unknown {
  if (format === 'json') return { type: 'json_object' };
  const { name, schema, strict } = format;
  return { type: 'json_schema', json_schema: present({ name: name ?? 'reply', schema, strict }) };
}
