import { Tokenizer as HuggingFace } from '@huggingface/tokenizers';
import { VfError } from '@vf/core/errors';
import { bytesOfToken } from './byte-level.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The keys of `tokenizer.json` that are read here; the library reads the rest. */
export interface TokenizerJson {
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
  readonly added_tokens?: readonly { readonly id: number; readonly content: string }[];
  readonly normalizer?: unknown;
}

/**
 * A tokenizer from the contents of a model's `tokenizer.json` and `tokenizer_config.json`.
 * Byte-level BPE only, which is what every family here has.
 * @throws VfError `misfit/tokenizer` for another kind
 */
export function tokenizerFrom(json: TokenizerJson, config: object = {}): Tokenizer {
  const controls = new Map((json.added_tokens ?? []).map(({ content, id }) => [content, id]));
  const tokens = tokenBytes(json, controls);
  // Without added tokens the library sees text only, so content cannot smuggle control tokens in.
  const plain = new HuggingFace({ ...json, added_tokens: [] }, config);
  const normalizer = plain.normalizer;
  return {
    controls,
    size: tokens.length,
    encode: (text) => (text === '' ? [] : plain.encode(text, { add_special_tokens: false }).ids),
    bytes: (id) => tokens[id] ?? unknownId(id),
    byteLength: (id) => (tokens[id] ?? unknownId(id)).length,
    ...(normalizer === null ? {} : { normalize: (text: string) => normalizer.normalize(text) }),
  };
}

function unknownId(id: number): never {
  throw new RangeError(`The vocabulary has no token ${id}.`);
}

function tokenBytes(
  json: TokenizerJson,
  controls: ReadonlyMap<string, number>,
): readonly (Uint8Array | undefined)[] {
  const tokens: (Uint8Array | undefined)[] = [];
  const control = new Set(controls.values());
  for (const [token, id] of Object.entries(json.model.vocab)) {
    if (control.has(id)) continue;
    const bytes = bytesOfToken(token);
    if (bytes === null) throw notByteLevel(token);
    tokens[id] = bytes;
  }
  const encoder = new TextEncoder();
  for (const [name, id] of controls) tokens[id] = encoder.encode(name);
  return tokens;
}

function notByteLevel(token: string): VfError {
  return new VfError(
    'misfit/tokenizer',
    `The tokenizer is not byte-level BPE: its token ${JSON.stringify(token)} is no sequence of bytes.`,
    { hint: 'Use a model with a byte-level tokenizer.json, or let the engine tokenise.' },
  );
}
