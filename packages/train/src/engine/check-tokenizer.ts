import { VfError } from '@vf/core/errors';
import { isObject, listOf, parseJson } from '@vf/core/dialect';
import type { Tokenizer } from '@vf/renderers';
import type { EngineId, EngineOptions } from './engine.ts';

const patienceMs = 10_000;

/** Plain words, digits and signs: what no two vocabularies split alike, and no two readers of one differently. */
const probe = 'Sum 12 + 345 = 357.\n\nThe quick brown fox (jumps) over "the" lazy dog; isn\'t it?';

/**
 * Has each server tokenise some text, and compares the ids with those that we would send it. A server that does not
 * tokenise passes.
 * @throws VfError `misfit/tokenizer`
 */
export async function checkTokenizer(
  engine: EngineId,
  options: EngineOptions,
  model: string,
  tokenizer: Pick<Tokenizer, 'encode'>,
  signal: AbortSignal,
): Promise<void> {
  const ours = Array.from(tokenizer.encode(probe));
  const urls = [options.baseUrl, ...(options.replicas ?? [])];
  const told = await Promise.all(
    urls.map((baseUrl) => tokenised(engine, { ...options, baseUrl }, model, signal)),
  );
  for (const [at, ids] of told.entries()) {
    if (ids === null || (ids.length === ours.length && ids.every((id, i) => id === ours[i])))
      continue;
    throw new VfError(
      'misfit/tokenizer',
      `the tokenizer is not that of the model at ${urls[at]}: the same words are ${ids.length} tokens there and ${ours.length} other ones here`,
      { hint: `client.tokenizer = "FOLDER" with the tokenizer.json of ${model}, as it is served` },
    );
  }
}

/** The server's ids of the text, without any that it puts in front; null when it does not say. */
async function tokenised(
  engine: EngineId,
  { baseUrl, key, headers }: EngineOptions,
  model: string,
  signal: AbortSignal,
): Promise<readonly unknown[] | null> {
  const url = `${baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')}/tokenize`;
  const body =
    engine === 'llama.cpp'
      ? { content: probe, add_special: false }
      : { model, prompt: probe, add_special_tokens: false };
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key == null ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    });
    const answer = parseJson(await response.text());
    if (!response.ok || !isObject(answer)) return null;
    const ids = listOf(answer['tokens']);
    return ids.length > 0 && ids.every((id) => typeof id === 'number') ? ids : null;
  } catch {
    // Whether it answers at all is asked elsewhere.
    signal.throwIfAborted();
    return null;
  }
}
