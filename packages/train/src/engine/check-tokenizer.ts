import { VfError } from '@vf/core/errors';
import type { Tokenizer } from '@vf/renderers';
import { askServer, toldTokens } from './ask-server.ts';
import type { EngineId, EngineOptions } from './engine.ts';

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
  options: EngineOptions,
  model: string,
  signal: AbortSignal,
): Promise<readonly number[] | null> {
  const body =
    engine === 'llama.cpp'
      ? { content: probe, add_special: false }
      : { model, prompt: probe, add_special_tokens: false };
  return toldTokens(await askServer(options, '/tokenize', body, signal));
}
