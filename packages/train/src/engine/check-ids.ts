import { noSample } from './engine-failed.ts';

/** @throws EngineFailed for an id that the vocabulary has not */
export function checkIds(engine: string, ids: ArrayLike<number>, vocabulary: number): void {
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] as number;
    if (Number.isInteger(id) && id >= 0 && id < vocabulary) continue;
    throw noSample(
      `${engine} sampled token ${id}, which the tokenizer (${vocabulary} tokens) does not have: is it the model's own?`,
    );
  }
}
