import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byteIds, byteTokenizer, byteTokenizerJson } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, chatServer, recorded, send } from './chat-server.ts';
import type { Answer } from './chat-server.ts';

const plain = recorded('chat return_token_ids');
const streamed = recorded('chat return_token_ids stream');
const { signal } = new AbortController();

interface Choice extends Record<string, unknown> {
  readonly token_ids: readonly number[];
  readonly logprobs: { readonly content: readonly { token: string; logprob: number }[] };
}

const bare = plain.body as {
  readonly choices: readonly [Choice];
  readonly prompt_token_ids: readonly number[];
};
const [choice] = bare.choices;
const { content } = choice.logprobs;
const [ids, prompt] = [choice.token_ids, bare.prompt_token_ids];

const withChoice = (changes: object): object => ({
  ...bare,
  choices: [{ ...choice, ...changes }],
});
const withLogprobs = (first: object): object =>
  withChoice({ logprobs: { content: [{ ...content[0], ...first }, ...content.slice(1)] } });
const withIds = (first: number): object =>
  withChoice({
    token_ids: [first, ...ids.slice(1)],
    logprobs: { content: [{ ...content[0], token: `token_id:${first}` }, ...content.slice(1)] },
  });

test.each([
  ['no ids', { ...bare, prompt_token_ids: null }, /return_token_ids/],
  ['no logprobs', withChoice({ logprobs: null }), /no logprobs/],
  ['no prompt', { ...bare, prompt_token_ids: [] }, /no ids of the prompt/],
  ['a prompt of text', { ...bare, prompt_token_ids: ['1', '2'] }, /-1 as an id of the prompt/],
  ['a part of an id', { ...bare, prompt_token_ids: [1.5] }, /1.5 as an id of the prompt/],
  ['an id too large', { ...bare, prompt_token_ids: [2 ** 33] }, /8589934592/],
  ['a prompt of other length', { ...bare, prompt_token_ids: [1, 2] }, /38 tokens where 2/],
  [
    'a reply of other length',
    { ...bare, usage: { prompt_tokens: 38, completion_tokens: 8 } },
    /counted 8/,
  ],
  ['other counts', withChoice({ token_ids: [1, 2] }), /counted \d+ tokens and gave 2/],
  ['logprobs of other ids', withLogprobs({ token: 'token_id:7' }), /logprobs of other tokens/],
  ['logprobs of texts', withLogprobs({ token: '3' }), /return_tokens_as_token_ids/],
  ['a logprob too few', withChoice({ logprobs: { content: content.slice(1) } }), /logprobs/],
  ['the stand-in for no probability', withLogprobs({ logprob: -9999 }), /-9999/],
  ['a sampled id that the model has not', withIds(49_152), /49152, .*49152 tokens/],
  [
    'an id of the prompt that it has not',
    { ...bare, prompt_token_ids: [49_152, ...prompt.slice(1)] },
    /49152 as an id of the prompt/,
  ],
] as const)('an answer with %s is no sample [train/no-sample]', async (_, body, words) => {
  const { error, tokens } = await ask({ body });
  expect(error?.message).toMatch(words);
  expect(tokens).toBeUndefined();
});

test('the largest id that the model has is one [train/no-sample]', async () => {
  const { error, tokens } = await ask({ body: withIds(49_151) });
  expect(error).toBeUndefined();
  expect((await tokens)?.completionIds[0]).toBe(49_151);
});

test('a streamed id that the model has not ends the reply before its text is told [train/no-sample]', async () => {
  const events = String(streamed.body);
  const [first] = /"token_id:\d+"/.exec(events) ?? [''];
  const id = /\d+/.exec(first)?.[0] ?? '';
  const body = events
    .replace(`"token_ids":[${id}]`, '"token_ids":[49152]')
    .replace(first, '"token_id:49152"');
  const { error, text } = await ask({ body }, { stream: true });
  expect(error?.message).toContain('49152');
  expect(text).not.toContain('"content":"');
});

test.each([false, true])(
  'a reply of more ids than were asked for is no sample, streamed: %s [train/no-sample]',
  async (stream) => {
    const most = { stream, extra: { maxOutputTokens: ids.length } };
    const answer = stream ? streamed : plain;
    expect((await ask(answer, most)).error).toBeUndefined();
    const less = { stream, extra: { maxOutputTokens: ids.length - 1 } };
    const { text, error } = await ask(answer, less);
    expect(error?.message).toContain(`at most ${ids.length - 1} were asked for`);
    expect(text).not.toContain('"content":"');
  },
);

test('a reply that vLLM gave up is none, and may be asked for again [train/engine-errors]', async () => {
  const { error } = await ask({ body: withChoice({ finish_reason: 'abort' }) });
  expect(error).toMatchObject({ code: 'overloaded' });
});

function modelsOf(length: number | null): Answer {
  return { body: { object: 'list', data: [{ id: 'policy', max_model_len: length }] } };
}

describe('the space of ids', () => {
  test('is asked once, of all calls, and told with the tokens [train/context-length]', async () => {
    const server = await chatServer({ answer: plain });
    const replies = await Promise.all([send(server), send(server)]);
    for (const { tokens } of [...replies, await send(server)]) {
      expect((await tokens)?.space).toEqual({ vocabulary: 49_152, context: 2048 });
    }
    expect(server.asides).toEqual(['models', 'vocabulary']);
  });

  test('bounds prompt and reply together [train/no-sample]', async () => {
    const length = prompt.length + ids.length;
    const fits = await send(await chatServer({ answer: plain, models: modelsOf(length) }));
    expect(fits.error).toBeUndefined();
    const none = await send(await chatServer({ answer: plain, models: modelsOf(length - 1) }));
    expect(none.error?.message).toContain(
      `sampled ${ids.length} tokens behind ${prompt.length} in a context of ${length - 1}`,
    );
  });

  test.each([
    ['takes any bias', plain],
    ['says no number', { status: 400, body: { error: { message: 'no such id', code: 400 } } }],
  ])('has no end where vLLM %s [train/context-length]', async (_, biased) => {
    const reply = await send(await chatServer({ answer: { body: withIds(200_000) }, biased }));
    expect(reply.error).toBeUndefined();
    expect((await reply.tokens)?.space).toBeUndefined();
  });

  test('that vLLM cannot tell now is asked again [train/engine-errors]', async () => {
    const busy = { status: 503, body: { error: { message: 'loading', code: 503 } } };
    const server = await chatServer({ answer: plain, biased: busy });
    for (let call = 1; call < 3; call++) {
      expect((await send(server)).error).toMatchObject({ code: 'overloaded' });
      expect(server.asides).toHaveLength(2 * call);
    }
    expect(server.asked).toEqual([]);
  });
});

describe('a tokenizer that the run names', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vf-chat-'));
    await writeFile(join(folder, 'tokenizer.json'), JSON.stringify(byteTokenizerJson()));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('says which ids there are [train/no-sample]', async () => {
    const server = await chatServer({ answer: plain, tokenizer: folder });
    const { error } = await send(server);
    expect(error?.message).toContain(`(${byteTokenizer.size} tokens)`);
    expect(server.asides).toEqual(['models']);
  });

  test('tells what the sampled ids are to an agent that asks for logprobs [train/told-logprobs]', async () => {
    const sampledIds = byteIds('7.<|im_end|>');
    const told = sampledIds.map((id) => ({ token: `token_id:${id}`, logprob: -0.5 }));
    const body = {
      ...bare,
      prompt_token_ids: [1, 2],
      choices: [{ ...choice, token_ids: sampledIds, logprobs: { content: told } }],
      usage: { prompt_tokens: 2, completion_tokens: sampledIds.length },
    };
    const extra = { extra: { logprobs: true } };
    const named = await send(await chatServer({ answer: { body }, tokenizer: folder }), { extra });
    const { content: heard } = (JSON.parse(named.text) as typeof bare).choices[0].logprobs;
    expect(heard.map(({ token, logprob }) => [token, logprob])).toEqual([
      ['7', -0.5],
      ['.', -0.5],
      ['<|im_end|>', -0.5],
    ]);
    const unnamed = await send(await chatServer({ answer: { body } }), { extra });
    expect(unnamed.error).toBeUndefined();
    expect(JSON.parse(unnamed.text)).toMatchObject({ choices: [{ logprobs: null }] });
  });

  test('has to be that of vLLM [train/renderer-refused]', async () => {
    const other = await chatServer({ answer: { body: { tokens: [1, 2] } }, tokenizer: folder });
    await expect(other.client.check?.(signal)).rejects.toMatchObject({ code: 'misfit/tokenizer' });
    const none = await chatServer({ answer: { body: { tokens: [1, 2] } } });
    await none.client.check?.(signal);
  });
});
