import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { familyFor, jinjaId, loadJinja, loadTokenizer, rendererFor } from '@vf/renderers';
import type { Renderer, RendererOptions, Tokenizer } from '@vf/renderers';

export interface RendererSettings {
  /** Where the family and the tokenizer are looked for when they are not named. */
  readonly model: string;
  /** Id of a renderer family, or `jinja` for the template beside the tokenizer; null: told by the model's name. */
  readonly renderer: string | null;
  /** Folder with the model's `tokenizer.json`; null: the model is such a folder. */
  readonly tokenizer: string | null;
  readonly options?: RendererOptions;
}

/** A renderer, its tokenizer, and one more than the largest id of that. Any number of clients may share it. */
export interface OpenedRenderer {
  readonly renderer: Renderer;
  readonly tokenizer: Tokenizer;
  readonly vocabulary: number;
  /** The same template with other settings; absent where any of its family will do. */
  readonly setTo?: (options: RendererOptions) => Promise<Renderer>;
}

/** @throws VfError `misfit/no_renderer` with the list, `misfit/tokenizer`, `misfit/not_renderable` for a template */
export async function openRenderer(settings: RendererSettings): Promise<OpenedRenderer> {
  const { model, renderer: named, tokenizer: folder, options } = settings;
  const family = familyFor(model, named ?? undefined);
  const files = folder ?? (await modelFolder(model));
  const tokenizer = await readTokenizer(files);
  const about = { tokenizer, vocabulary: tokenizer.size };
  if (family !== jinjaId) {
    return { ...about, renderer: rendererFor(model, tokenizer, { ...options, renderer: family }) };
  }
  const setTo = (other?: RendererOptions): Promise<Renderer> => loadJinja(files, tokenizer, other);
  return { ...about, renderer: await setTo(options), setTo };
}

/** @throws VfError `misfit/tokenizer` */
export async function readTokenizer(folder: string): Promise<Tokenizer> {
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
