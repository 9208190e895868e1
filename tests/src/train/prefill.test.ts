import type { Client, Dialect, Exchange, Message } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { describe, expect, test } from 'vitest';
import { chatServer, recorded } from './chat-server.ts';
import { callOf, exchangeOf } from './exchange.ts';
import { clientOf, scriptedEngine } from './scripted-engine.ts';

const begun: readonly Message[] = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: '{"title": "' },
];

interface Asked {
  readonly client: Client;
  /** What the engine was asked to sample, or count. */
  readonly asked: readonly unknown[];
}

function byIds(): Asked {
  const engine = scriptedEngine('ok<|im_end|>');
  return { client: clientOf(engine), asked: engine.asked };
}

function byChat(stream: boolean): Promise<Asked> {
  return chatServer({
    answer: recorded(stream ? 'chat return_token_ids stream' : 'chat return_token_ids'),
  });
}

async function answered(
  { client, asked }: Asked,
  dialect: Dialect,
  stream: boolean,
  kind: Exchange['kind'] = 'turn',
) {
  const exchange = exchangeOf(dialect, callOf(begun, stream), kind);
  const reply = await client.send(exchange, new AbortController().signal);
  const text = Buffer.concat(await Array.fromAsync(reply.body)).toString();
  await client.close?.();
  return { ...reply, text, asked: asked.length };
}

describe.each([
  { way: 'ids', open: byIds },
  { way: 'vllm-chat', open: byChat },
])('$way', ({ open }) => {
  describe.each([false, true])('streamed: %s', (stream) => {
    test('a prefill of Messages is refused by name [train/prefill]', async () => {
      expect(await answered(await open(stream), messages, stream)).toMatchObject({
        head: { status: 400 },
        error: { code: 'invalid', message: expect.stringContaining('prefill') as string },
        text: expect.stringContaining('invalid_request_error') as string,
        asked: 0,
      });
    });

    test.each([chatCompletions, responses])(
      '$id: a last message of the assistant’s is over, and the model goes on [train/prefill]',
      async (dialect) => {
        const { head, asked } = await answered(await open(stream), dialect, stream);
        expect({ status: head.status, asked }).toEqual({ status: 200, asked: 1 });
      },
    );
  });
});

test('a prefill is counted all the same [train/prefill]', async () => {
  const { text, head } = await answered(byIds(), messages, false, 'count-tokens');
  expect(head.status).toBe(200);
  expect(JSON.parse(text)).toEqual({ input_tokens: expect.any(Number) as number });
});
