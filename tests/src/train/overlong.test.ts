import type { Message } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import { expect, test } from 'vitest';
import { callOf, exchangeOf } from './exchange.ts';
import { clientOf, scriptedEngine } from './scripted-engine.ts';

const said: readonly Message[] = [{ role: 'user', content: 'What is 3 + 4?' }];
const { signal } = new AbortController();

/** One call of an engine with so much context: what it was asked for, and how that failed. */
async function ask(context: number | null, stream: boolean) {
  const engine = { ...scriptedEngine('7<|im_end|>'), contextLength: async () => context };
  const client = clientOf(engine);
  const exchange = exchangeOf(chatCompletions, callOf(said, stream));
  const { error, body } = await client.send(exchange, signal);
  await Array.fromAsync(body);
  await client.close();
  return { error, prompts: engine.asked.map(({ promptIds }) => promptIds.length) };
}

test.each([false, true])(
  'a prompt that fills the context is sent, one of a token more is not, streamed: %s [train/overlong]',
  async (stream) => {
    const [length = 0] = (await ask(null, stream)).prompts;
    expect(length).toBeGreaterThan(0);
    expect((await ask(length, stream)).prompts).toEqual([length]);
    const { error, prompts } = await ask(length - 1, stream);
    expect(prompts).toEqual([]);
    expect(error).toMatchObject({
      status: 400,
      code: 'context_length',
      message: `the prompt is too long: ${length} tokens, maximum context length ${length - 1}`,
    });
  },
);
