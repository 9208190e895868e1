import type { Dialect, Exchange, Message } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { describe, expect, test } from 'vitest';
import { callOf, exchangeOf } from './exchange.ts';
import { clientOf, scriptedEngine } from './scripted-engine.ts';

const begun: readonly Message[] = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: '{"title": "' },
];

/** What a client answers, and how often it asked the engine. */
async function answered(dialect: Dialect, stream: boolean, kind: Exchange['kind'] = 'turn') {
  const engine = scriptedEngine('ok<|im_end|>');
  const client = clientOf(engine);
  const exchange = exchangeOf(dialect, callOf(begun, stream), kind);
  const reply = await client.send(exchange, new AbortController().signal);
  const text = Buffer.concat(await Array.fromAsync(reply.body)).toString();
  await client.close();
  return { ...reply, text, asked: engine.asked.length };
}

describe.each([false, true])('streamed: %s', (stream) => {
  test('a prefill of Messages is refused by name [train/prefill]', async () => {
    expect(await answered(messages, stream)).toMatchObject({
      head: { status: 400 },
      error: { code: 'invalid', message: expect.stringContaining('prefill') as string },
      text: expect.stringContaining('invalid_request_error') as string,
      asked: 0,
    });
  });

  test.each([chatCompletions, responses])(
    '$id: a last message of the assistant’s is over, and the model goes on [train/prefill]',
    async (dialect) => {
      expect(await answered(dialect, stream)).toMatchObject({ head: { status: 200 }, asked: 1 });
    },
  );
});

test('a prefill is counted all the same [train/prefill]', async () => {
  const { text, head } = await answered(messages, false, 'count-tokens');
  expect(head.status).toBe(200);
  expect(JSON.parse(text)).toEqual({ input_tokens: expect.any(Number) as number });
});
