import type { TokenSpace } from '../../contract/turn-tokens.ts';
import { index } from './fields.ts';
import type { Fields } from './fields.ts';
import { compact } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

export function writeSpace(space: TokenSpace | null): JsonObject | undefined {
  return space === null ? undefined : compact({ ...space });
}

/** What the tokens are of; null when the record does not say. */
export function readSpace(vf: Fields | undefined): TokenSpace | null {
  const space = vf?.child('token_space');
  if (space === undefined) return null;
  return {
    vocabulary: space.required('vocabulary', index),
    context: space.optional('context', index) ?? null,
  };
}
