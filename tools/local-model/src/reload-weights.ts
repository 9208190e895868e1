import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LocalEngine } from './engines/engine-spec.ts';

export interface Reload {
  /** Hugging Face folder of the new weights, of the same architecture; relative to the working directory. */
  readonly folder: string;
  /** The name that sampled turns tell from now on. */
  readonly version: string;
  /**
   * What becomes of calls in flight: they end first (`wait`, the default), or go on with the new weights from where they
   * are (`keep`).
   */
  readonly inFlight?: 'wait' | 'keep';
  readonly signal?: AbortSignal;
}

/**
 * Gives a running server new weights from disk, in about a second, and forgets what its prefix cache holds of the old
 * (SGLang not when calls are kept: give later ones another `cache_salt`). It samples again afterwards, whether that worked or not.
 * @throws Error with what the server answered; for a folder without weights; for llama.cpp, which cannot do it
 */
export async function reloadWeights(
  { url, engine }: { readonly url: string; readonly engine: LocalEngine },
  reload: Reload,
): Promise<void> {
  const { signal } = reload;
  // The server works in another directory, and takes what is no path there for a name on the model hub.
  const folder = resolve(reload.folder);
  if (engine === 'llama.cpp') throw new Error('llama.cpp cannot load other weights: start it anew');
  if (!existsSync(join(folder, 'config.json')))
    throw new Error(`${folder} is no folder of weights: it has no config.json`);
  const post = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${engine} answered ${path} with ${answer.status}: ${text}`);
  };
  await (engine === 'vllm' ? reloadVllm : reloadSglang)(post, { ...reload, folder });
}

type Post = (path: string, body: object) => Promise<void>;

async function reloadVllm(
  post: Post,
  { folder, version, inFlight = 'wait' }: Reload,
): Promise<void> {
  await post(`/pause?mode=${inFlight}`, {});
  try {
    await post('/collective_rpc', {
      method: 'reload_weights',
      kwargs: { weights_path: folder },
    });
    await post('/update_weight_version', { new_version: version });
    await post('/reset_prefix_cache', {});
  } finally {
    await post('/resume', {});
  }
}

/** Without a pause the update itself waits until nothing is in flight. */
async function reloadSglang(post: Post, { folder, version, inFlight }: Reload): Promise<void> {
  const isPaused = inFlight === 'keep';
  if (isPaused) await post('/pause_generation', { mode: 'in_place' });
  try {
    await post('/update_weights_from_disk', {
      model_path: folder,
      weight_version: version,
      // What calls in flight have in the cache cannot go.
      flush_cache: !isPaused,
    });
  } finally {
    if (isPaused) await post('/continue_generation', {});
  }
}
