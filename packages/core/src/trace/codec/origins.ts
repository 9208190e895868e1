import type { TokenOrigin } from '../../contract/turn-tokens.ts';
import type { ModelCall } from '../model-call.ts';
import { string } from './fields.ts';
import type { Fields } from './fields.ts';
import { compact } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

/** Each origin once, and which of them each call has. */
export interface OriginTable {
  readonly origins: readonly JsonObject[] | undefined;
  /** One for each call; null where it has none. */
  readonly of: readonly (number | null)[];
}

export function writeOrigins(calls: readonly ModelCall[]): OriginTable {
  const origins: JsonObject[] = [];
  const keys: string[] = [];
  // A client says the same object with every call.
  const known = new Map<TokenOrigin, number>();
  const placeOf = (origin: TokenOrigin): number => {
    const written = writeOrigin(origin);
    const key = JSON.stringify(written);
    const at = keys.indexOf(key);
    if (at >= 0) return at;
    origins.push(written);
    return keys.push(key) - 1;
  };
  const of = calls.map(({ origin }) => {
    if (origin === undefined) return null;
    const at = known.get(origin) ?? placeOf(origin);
    known.set(origin, at);
    return at;
  });
  return { origins: origins.length === 0 ? undefined : origins, of };
}

function writeOrigin(origin: TokenOrigin): JsonObject {
  return compact({
    engine: origin.engine,
    renderer: origin.renderer,
    retention: origin.retention,
    tokenizer_sha256: origin.tokenizerSha256,
    template_sha256: origin.templateSha256,
  });
}

export function readOrigins(vf: Fields | undefined): readonly TokenOrigin[] {
  return (vf?.children('token_origins') ?? []).map((fields) => ({
    engine: fields.required('engine', string),
    renderer: fields.optional('renderer', string) ?? null,
    retention: fields.optional('retention', string) ?? null,
    tokenizerSha256: fields.optional('tokenizer_sha256', string) ?? null,
    templateSha256: fields.optional('template_sha256', string) ?? null,
  }));
}
