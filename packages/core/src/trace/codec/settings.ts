import type { Settings, ToolChoice } from '../../call.ts';
import { boolean, integer, number, object, string } from './fields.ts';
import type { Fields, Kind } from './fields.ts';
import { compact, isObject, orNone } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

type Scalar = 'temperature' | 'topP' | 'topK' | 'maxOutputTokens' | 'seed' | 'reasoningEffort';
type Penalty = 'frequencyPenalty' | 'presencePenalty' | 'parallelToolCalls';

/** Settings whose value is written as it is: our name, the record's name, the type. */
const plain: readonly (readonly [Scalar | Penalty, string, Kind<unknown>])[] = [
  ['temperature', 'temperature', number],
  ['topP', 'top_p', number],
  ['topK', 'top_k', number],
  ['maxOutputTokens', 'max_tokens', integer],
  ['seed', 'seed', number],
  ['reasoningEffort', 'reasoning_effort', string],
  ['frequencyPenalty', 'frequency_penalty', number],
  ['presencePenalty', 'presence_penalty', number],
  ['parallelToolCalls', 'parallel_tool_calls', boolean],
];

/** The small settings of a call or a run, as the verifiers record spells them; {} when none is set. */
export function writeSampling(settings: Partial<Settings>): JsonObject {
  const written: Record<string, unknown> = {};
  for (const [key, wire] of plain) {
    const value = settings[key];
    if (value !== undefined && value !== null) written[wire] = value;
  }
  if (settings.stop != null) written['stop'] = settings.stop;
  if (settings.toolChoice != null) written['tool_choice'] = settings.toolChoice;
  return written;
}

/** Reads what it knows the type of; values of other shapes stay in `rest`. */
export function readSampling(fields: Fields | undefined): Partial<Settings> {
  if (fields === undefined) return {};
  const stop = fields.maybe('stop', strings);
  const toolChoice = fields.maybe('tool_choice', choice);
  const scalars = plain.flatMap(([key, wire, kind]) => {
    if (!fields.has(wire)) fields.optional(wire, kind);
    const value = fields.maybe(wire, kind);
    return value === undefined ? [] : [[key, value]];
  });
  return {
    ...(Object.fromEntries(scalars) as Partial<Settings>),
    ...(stop === undefined ? {} : { stop }),
    ...(toolChoice === undefined ? {} : { toolChoice }),
  };
}

const strings: Kind<readonly string[]> = {
  name: 'a list of strings',
  is: (value): value is readonly string[] => Array.isArray(value) && value.every(string.is),
};
const choice: Kind<ToolChoice> = {
  name: 'a tool choice',
  is: (value): value is ToolChoice => {
    if (isObject(value)) return string.is(value['name']) && Object.keys(value).length === 1;
    return value === 'auto' || value === 'none' || value === 'required';
  },
};

/** The large settings, which rarely change from call to call. */
export function writeRequestShape(settings: Partial<Settings>): JsonObject {
  const format = settings.responseFormat;
  return compact({
    stream: settings.stream || undefined,
    include_usage: settings.includeUsage,
    response_format: format,
    extra: settings.extra,
  });
}

export function readRequestShape(fields: Fields | undefined): Partial<Settings> {
  if (fields === undefined) return {};
  const stream = fields.optional('stream', boolean);
  const includeUsage = fields.optional('include_usage', boolean);
  const responseFormat = fields.optional('response_format', responseFormatKind);
  const extra = fields.optional('extra', object);
  return {
    ...(stream === undefined ? {} : { stream }),
    ...(includeUsage === undefined ? {} : { includeUsage }),
    ...(responseFormat === undefined ? {} : { responseFormat }),
    ...(extra === undefined ? {} : { extra }),
  };
}

const responseFormatKind: Kind<NonNullable<Settings['responseFormat']>> = {
  name: '"json" or an object with a schema',
  is: (value): value is NonNullable<Settings['responseFormat']> =>
    value === 'json' || (isObject(value) && 'schema' in value),
};

/** All settings of a run in one object, for `info.vf`; undefined when the small ones say it all. */
export function writeLargeSampling(settings: Partial<Settings>): JsonObject | undefined {
  return orNone({ ...writeRequestShape(settings), ...compact({ model: settings.model }) });
}
