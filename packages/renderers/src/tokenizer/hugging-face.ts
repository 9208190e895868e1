import { Tokenizer as HuggingFace } from '@huggingface/tokenizers';
import { VfError } from '@vf/core/errors';
import { asPythonSplits } from './as-python-splits.ts';
import { byteCharacters } from './byte-level.ts';
import { TokenTable } from './token-table.ts';
import type { Tokenizer } from './tokenizer.ts';
import { WordEncoder } from './word-encoder.ts';
import { WordMerger } from './word-merger.ts';
import { splitOf } from './words.ts';
import type { PreTokenizer } from './words.ts';

/** The keys of `tokenizer.json` that are read here; the library reads the rest. */
export interface TokenizerJson {
  readonly model: {
    readonly type?: string;
    readonly vocab: Readonly<Record<string, number>>;
    readonly merges?: readonly (string | readonly [string, string])[];
    readonly ignore_merges?: boolean;
    readonly byte_fallback?: boolean;
    readonly unk_token?: string | null;
    readonly end_of_word_suffix?: string | null;
    readonly continuing_subword_suffix?: string | null;
  };
  readonly added_tokens?: readonly { readonly id: number; readonly content: string }[];
  readonly normalizer?: unknown;
  readonly pre_tokenizer?: unknown;
}

/**
 * A tokenizer from the contents of a model's `tokenizer.json` and `tokenizer_config.json`.
 * Byte-level BPE only, which is what every family here has.
 * @throws VfError `misfit/tokenizer` for another kind, and for one that cannot be used
 */
export function tokenizerFrom(json: TokenizerJson, config: object = {}): Tokenizer {
  const { type = 'BPE' } = json.model;
  if (type !== 'BPE') throw notByteLevel(`its model is ${type}`);
  const controls = new Map((json.added_tokens ?? []).map(({ content, id }) => [content, id]));
  const table = new TokenTable(json.model.vocab, controls, refuse);
  const { encode, normalize } = encoderOf(json, config);
  return {
    controls,
    size: table.size,
    encode: (text) => (text === '' ? [] : encode(text)),
    bytes: (id) => table.bytes(id),
    join: (ids, from, to) => table.join(ids, from, to),
    byteLength: (id) => table.length(id),
    ...(normalize === null ? {} : { normalize }),
  };
}

/** What is used of the library. */
interface Library {
  encode(text: string, options: object): { readonly ids: number[] };
  readonly normalizer: {
    normalize(text: string): string;
    /** As `tokenizer.json` has it. */
    readonly config?: { readonly type?: string };
  } | null;
  readonly pre_tokenizer: PreTokenizer | null;
  readonly model: { readonly tokens_to_ids: ReadonlyMap<string, number> } | null;
}

interface Encoder {
  encode(text: string): ArrayLike<number>;
  readonly normalize: ((text: string) => string) | null;
}

/** The library normalises and splits; it merges too where a tokenizer is not as those of the families are. */
function encoderOf(json: TokenizerJson, config: object): Encoder {
  // It would read all merges for itself.
  const library = libraryOf({ ...json, model: { ...json.model, merges: [] } }, config);
  const split = bendsText(config) ? null : splitOf(library.pre_tokenizer);
  const merger = mergerOf(json.model, library);
  if (split === null || merger === null) return byLibrary(libraryOf(json, config));
  const words = new WordEncoder(split, merger);
  const normalize = normalizeOf(library);
  return {
    encode: (text) => words.encode(normalize === null ? text : normalize(text)),
    normalize,
  };
}

function byLibrary(library: Library): Encoder {
  return {
    encode: (text) => library.encode(text, { add_special_tokens: false }).ids,
    normalize: normalizeOf(library),
  };
}

function normalizeOf({ normalizer }: Library): Encoder['normalize'] {
  if (normalizer === null) return null;
  const keepsAscii = unicodeForms.has(normalizer.config?.type ?? '');
  return (text) => (keepsAscii && isAscii(text) ? text : normalizer.normalize(text));
}

const unicodeForms: ReadonlySet<string> = new Set(['NFC', 'NFD', 'NFKC', 'NFKD']);

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** Without added tokens the library sees text only, so content cannot smuggle control tokens in. */
function libraryOf(json: TokenizerJson, config: object): Library {
  const split = { pre_tokenizer: asPythonSplits(json.pre_tokenizer) };
  try {
    return new HuggingFace({ ...json, ...split, added_tokens: [] }, config);
  } catch (error) {
    throw new VfError('misfit/tokenizer', `The tokenizer.json cannot be used: ${told(error)}`, {
      hint,
      cause: error,
    });
  }
}

function told(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Settings of old tokenizers, which the library heeds before it normalises. */
function bendsText(config: object): boolean {
  return 'remove_space' in config || 'do_lowercase_and_remove_accent' in config;
}

/** Null where merging goes by more than the merges. */
function mergerOf(
  { type, merges, ...more }: TokenizerJson['model'],
  { model }: Library,
): WordMerger | null {
  const { ignore_merges: ignoreMerges = false, byte_fallback: fallsBack = false } = more;
  const isPlain = !fallsBack && !more.end_of_word_suffix && !more.continuing_subword_suffix;
  if (type !== 'BPE' || merges === undefined || model === null || !isPlain) return null;
  const ids = model.tokens_to_ids;
  if (more.unk_token && !byteCharacters.every((character) => ids.has(character))) return null;
  return WordMerger.from({ ids, merges, ignoreMerges });
}

const hint = 'Use a model with a byte-level tokenizer.json, or let the engine tokenise.';

function notByteLevel(why: string): VfError {
  return new VfError('misfit/tokenizer', `The tokenizer is not byte-level BPE: ${why}.`, { hint });
}

function refuse(token: string): never {
  throw notByteLevel(`its token ${JSON.stringify(token)} is no sequence of bytes`);
}
