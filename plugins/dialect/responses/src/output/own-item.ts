import { isObject } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/** Types of the native items that other dialects keep. */
const foreign = /\.|^(text|thinking|redacted_thinking|thought)$|_use$|_result$/;

/** Is this provider state an item of a response? Other dialects' state means nothing here. */
export function isOwnItem(value: unknown): value is JsonObject {
  return isObject(value) && typeof value['type'] === 'string' && !foreign.test(value['type']);
}
