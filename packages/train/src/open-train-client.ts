import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { familyFor, loadTokenizer, rendererFor } from '@vf/renderers';
import type { Tokenizer } from '@vf/renderers';
import { makeEngine } from './engine/make-engine.ts';
import type { EngineId, EngineOptions } from './engine/engine.ts';
import { trainClient } from './train-client.ts';

export interface TrainSettings extends EngineOptions {
  readonly engine: EngineId;
  /** As the engine serves it; also where the renderer and the tokenizer are looked for. */
  readonly model: string;
  /** Id of a renderer family; null: told by the model's name. */
  readonly renderer: string | null;
  /** Folder with the model's `tokenizer.json`; null: the model is such a folder. */
  readonly tokenizer: string | null;
}

/**
 * A client for a model behind an engine; asks the engine nothing yet.
 * @throws VfError `misfit/no_renderer` with the list, `misfit/tokenizer`
 */
export async function openTrainClient(
  settings: TrainSettings,
): Promise<Client & { close(): Promise<void> }> {
  const { engine, model, renderer: named, tokenizer: folder, ...options } = settings;
  const family = familyFor(model, named ?? undefined);
  const tokenizer = await readTokenizer(folder ?? (await modelFolder(model)));
  const renderer = rendererFor(model, tokenizer, { renderer: family });
  const { size: vocabulary } = tokenizer;
  return trainClient({ engine: makeEngine(engine, options), renderer, vocabulary, model });
}

async function readTokenizer(folder: string): Promise<Tokenizer> {
  try {
    return await loadTokenizer(folder);
  } catch (cause) {
    if (VfError.isInstance(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new VfError('misfit/tokenizer', `the tokenizer.json in ${folder} is broken: ${reason}`, {
      cause,
      hint: 'get it again with the model',
    });
  }
}

async function modelFolder(model: string): Promise<string> {
  const found = await stat(join(model, 'tokenizer.json')).catch(() => null);
  if (found !== null) return model;
  throw new VfError('misfit/tokenizer', `where the tokenizer of ${model} is, is not said`, {
    hint: 'client.tokenizer = "FOLDER" with the tokenizer.json of the model',
  });
}
