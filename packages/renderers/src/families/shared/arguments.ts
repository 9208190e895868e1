import type { ToolCall } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { isObject } from '../../python/json-value.ts';
import type { JsonObject } from '../../python/json-value.ts';
import { parseJson } from '../../python/parse-json.ts';

/**
 * A call's arguments as an object, for templates that print them one by one. Empty text is an empty object.
 * @throws VfError `misfit/not_renderable` when they are no JSON object
 */
export function argumentsOf(call: ToolCall): JsonObject {
  const value = parseJson(call.arguments.trim() === '' ? '{}' : call.arguments);
  if (isObject(value)) return value;
  throw new VfError(
    'misfit/not_renderable',
    `The arguments of the call to ${call.name} are no JSON object, and the template prints them one by one.`,
    {
      hint: 'A sampled call never comes here in a bridge; only a full render needs its arguments.',
    },
  );
}
