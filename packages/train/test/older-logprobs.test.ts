import { expect, test } from 'vitest';
import { EngineFailed } from '../src/engine/engine-failed.ts';
import { makeEngine } from '../src/engine/make-engine.ts';
import { answering } from './recorded.ts';
import { requestOf } from './scripted.ts';

const { signal } = new AbortController();

/** Some tokens as a vLLM writes them that does not know `token_id`. */
function choiceOf(ids: readonly number[], tokens: readonly string[], finish: string | null) {
  const content = tokens.map((token, at) => ({ token, logprob: -0.25 - at, top_logprobs: [] }));
  return { index: 0, token_ids: ids, logprobs: { content }, finish_reason: finish };
}

async function sample(body: unknown) {
  await using server = await answering({ status: 200, body });
  const engine = makeEngine('vllm', { baseUrl: server.url });
  const onIds = typeof body === 'string' ? () => undefined : undefined;
  try {
    const { ids, logprobs } = await engine.sample(requestOf('rollout'), signal, onIds);
    return { ids: Array.from(ids), logprobs: Array.from(logprobs) };
  } catch (error) {
    if (!(error instanceof EngineFailed)) throw error;
    return error.error;
  } finally {
    await engine.close();
  }
}

const eventsOf = (...choices: readonly object[]): string =>
  choices.map((choice) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`).join('');

test('logprobs under token_id:N are those of their ids, streamed or not [train/engine-samples]', async () => {
  const whole = choiceOf([5, 9], ['token_id:5', 'token_id:9'], 'stop');
  const told = { ids: [5, 9], logprobs: [-0.25, -1.25] };
  expect(await sample({ choices: [whole] })).toEqual(told);
  const parts = [choiceOf([5], ['token_id:5'], null), choiceOf([9], ['token_id:9'], 'stop')];
  expect(await sample(eventsOf(...parts))).toEqual({ ...told, logprobs: [-0.25, -0.25] });
});

test.each([
  ['another id', ['token_id:5', 'token_id:8']],
  ['an id that only begins alike', ['token_id:5', 'token_id:91']],
  ['the text of a token', ['token_id:5', '9']],
  ['a text around it', ['token_id:5', ' token_id:9']],
  ['no number', ['token_id:5', 'token_id:']],
])('a logprob of %s makes no sample, streamed or not [train/no-sample]', async (_, tokens) => {
  const choice = choiceOf([5, 9], tokens, 'stop');
  const refused = {
    code: 'no_sample',
    message: expect.stringContaining('logprobs of other tokens') as string,
  };
  expect(await sample({ choices: [choice] })).toMatchObject(refused);
  expect(await sample(eventsOf(choice))).toMatchObject(refused);
});
