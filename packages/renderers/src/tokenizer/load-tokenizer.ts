import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '@vf/core/dialect';
import { VfError } from '@vf/core/errors';
import { sha256 } from '../template-hash.ts';
import { tokenizerFrom } from './hugging-face.ts';
import type { TokenizerJson } from './hugging-face.ts';
import type { Tokenizer } from './tokenizer.ts';

/**
 * The tokenizer of a model folder: its `tokenizer.json` and, when there, its `tokenizer_config.json`.
 * @throws VfError `misfit/tokenizer` when there is none or it is not byte-level BPE
 */
export async function loadTokenizer(folder: string): Promise<Tokenizer> {
  const bytes = await read(join(folder, 'tokenizer.json'));
  const json = parsed(bytes);
  if (bytes === null || !isTokenizerJson(json)) {
    throw new VfError('misfit/tokenizer', `${folder} has no tokenizer.json that can be read.`, {
      hint: 'Name a folder with the tokenizer.json of the model.',
    });
  }
  const config = parsed(await read(join(folder, 'tokenizer_config.json')));
  const tokenizer = named(folder, () => tokenizerFrom(json, isObject(config) ? config : {}));
  return { ...tokenizer, sha256: sha256(bytes) };
}

/** Says which folder's tokenizer is refused. */
function named<T>(folder: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!VfError.isInstance(error)) throw error;
    const { code, message, hint } = error;
    throw new VfError(code, `${folder}: ${message}`, {
      ...(hint === null ? {} : { hint }),
      cause: error,
    });
  }
}

function read(path: string): Promise<Buffer | null> {
  return readFile(path).catch(() => null);
}

function parsed(bytes: Buffer | null): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}

function isTokenizerJson(value: unknown): value is TokenizerJson {
  if (!isObject(value) || !isObject(value['model'])) return false;
  const { vocab } = value['model'];
  const added = value['added_tokens'] ?? [];
  // The vocabulary of a Unigram model is a list; `tokenizerFrom` names the kind.
  return typeof vocab === 'object' && vocab !== null && Array.isArray(added);
}
