import { VfError } from '@vf/core/errors';
import type { Tokenizer } from '@vf/renderers';
import { askServer, toldByEach, toldTokens } from './ask-server.ts';
import type { Asking } from './ask-server.ts';
import type { EngineId } from './engine.ts';

/** Plain words, digits and signs: what no two vocabularies split alike, and no two readers of one differently. */
const probe = 'Sum 12 + 345 = 357.\n\nThe quick brown fox (jumps) over "the" lazy dog; isn\'t it?';

/**
 * Has each server tokenise some text, and compares the ids with those that we would send it. A server that does not
 * tokenise passes.
 * @throws VfError `misfit/tokenizer`
 */
export async function checkTokenizer(
  engine: EngineId,
  asking: Asking,
  model: string,
  tokenizer: Pick<Tokenizer, 'encode'>,
): Promise<void> {
  const ours = Array.from(tokenizer.encode(probe));
  const told = await toldByEach(asking, (one) => tokenised(engine, one, model));
  for (const { url, told: ids } of told) {
    if (ids.length === ours.length && ids.every((id, i) => id === ours[i])) continue;
    throw new VfError(
      'misfit/tokenizer',
      `the tokenizer is not that of the model at ${url}: the same words are ${ids.length} tokens there and ${ours.length} other ones here`,
      { hint: `client.tokenizer = "FOLDER" with the tokenizer.json of ${model}, as it is served` },
    );
  }
}

/** The server's ids of the text, without any that it puts in front; null when it does not say. */
async function tokenised(
  engine: EngineId,
  asking: Asking,
  model: string,
): Promise<readonly number[] | null> {
  const body =
    engine === 'llama.cpp'
      ? { content: probe, add_special: false }
      : { model, prompt: probe, add_special_tokens: false };
  return toldTokens(await askServer(asking, '/tokenize', body));
}
