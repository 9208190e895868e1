import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { tokenizerFrom } from './hugging-face.ts';
import type { TokenizerJson } from './hugging-face.ts';
import type { Tokenizer } from './tokenizer.ts';

/**
 * The tokenizer of a model folder: its `tokenizer.json` and, when there, its `tokenizer_config.json`.
 * @throws VfError `misfit/tokenizer` when there is none or it is not byte-level BPE
 */
export async function loadTokenizer(folder: string): Promise<Tokenizer> {
  const json = await readJson(join(folder, 'tokenizer.json'));
  if (!isTokenizerJson(json)) {
    throw new VfError('misfit/tokenizer', `${folder} has no tokenizer.json that can be read.`, {
      hint: 'Name a folder with the tokenizer.json of the model.',
    });
  }
  const config = await readJson(join(folder, 'tokenizer_config.json'));
  return tokenizerFrom(json, typeof config === 'object' && config !== null ? config : {});
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function isTokenizerJson(value: unknown): value is TokenizerJson {
  if (typeof value !== 'object' || value === null || !('model' in value)) return false;
  const { model } = value;
  return typeof model === 'object' && model !== null && 'vocab' in model;
}
