import type { Settings, ToolChoice } from '@vf/core';
import { booleanOf, isObject, numberOf, objectOf, omit, present, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** Keys that are messages or tools, or have a name in `Settings`. */
const named = [
  'input',
  'instructions',
  'tools',
  'model',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'max_output_tokens',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'parallel_tool_calls',
];

/** What a request asks of the model; siblings of the effort and of the format stay in `extra`. */
export function settingsOf(top: JsonObject): Settings {
  const toolChoice = toolChoiceOf(top['tool_choice']);
  const responseFormat = responseFormatOf(objectOf(top['text'])['format']);
  const stop = typeof top['stop'] === 'string' ? [top['stop']] : top['stop'];
  const extra = extraOf(top, toolChoice === null, responseFormat === null);
  return present<Settings>({
    model: stringOf(top['model']) ?? '',
    stream: top['stream'] === true,
    temperature: numberOf(top['temperature']),
    topP: numberOf(top['top_p']),
    topK: numberOf(top['top_k']),
    maxOutputTokens: numberOf(top['max_output_tokens']),
    stop: isTexts(stop) ? stop : null,
    seed: numberOf(top['seed']),
    reasoningEffort: stringOf(objectOf(top['reasoning'])['effort']),
    frequencyPenalty: numberOf(top['frequency_penalty']),
    presencePenalty: numberOf(top['presence_penalty']),
    parallelToolCalls: booleanOf(top['parallel_tool_calls']),
    toolChoice,
    responseFormat,
    extra: Object.keys(extra).length === 0 ? null : extra,
  });
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function toolChoiceOf(raw: unknown): ToolChoice | null {
  if (raw === 'auto' || raw === 'none' || raw === 'required') return raw;
  const choice = objectOf(raw);
  const name = stringOf(choice['name']);
  return choice['type'] === 'function' && name !== null && Object.keys(choice).length === 2
    ? { name }
    : null;
}

function responseFormatOf(raw: unknown): NonNullable<Settings['responseFormat']> | null {
  const format = objectOf(raw);
  if (format['type'] === 'json_object') return 'json';
  if (format['type'] !== 'json_schema') return null;
  const name = stringOf(format['name']);
  const { strict } = format;
  return {
    ...(name === null ? {} : { name }),
    schema: format['schema'],
    ...(typeof strict === 'boolean' ? { strict } : {}),
  };
}

/** A choice or a format that canonical settings cannot say stays. */
function extraOf(top: JsonObject, keepToolChoice: boolean, keepFormat: boolean): JsonObject {
  const rest = omit(top, [
    ...named,
    'reasoning',
    'text',
    ...(keepToolChoice ? [] : ['tool_choice']),
  ]);
  const reasoning = siblingsOf(top['reasoning'], 'effort');
  const text =
    keepFormat && isOddFormat(top['text']) ? top['text'] : siblingsOf(top['text'], 'format');
  return {
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(text === undefined ? {} : { text }),
  };
}

function isOddFormat(text: unknown): boolean {
  const { type = 'text' } = objectOf(objectOf(text)['format']);
  return type !== 'text';
}

function siblingsOf(value: unknown, key: string): unknown {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) return value;
  const siblings = omit(value, [key]);
  return Object.keys(siblings).length === 0 ? undefined : siblings;
}
