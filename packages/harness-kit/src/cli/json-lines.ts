import { isObject, parseJson } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** The objects that stand on lines of their own; anything else between them is passed over. */
export function jsonLines(text: string): readonly JsonObject[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map(parseJson)
    .filter(isObject);
}
