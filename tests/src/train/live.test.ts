import { setTimeout as sleep } from 'node:timers/promises';
import type { Dialect, Message, Reply } from '@vf/core';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import type { Engine } from '@vf/train';
import { describe, expect, test } from 'vitest';
import { byteIds } from '@vf/testkit';
import { callOf, exchangeOf, readReply } from './exchange.ts';
import { clientOf } from './scripted-engine.ts';

const dialects: readonly Dialect[] = [chatCompletions, responses, messages];
const hi: Message = { role: 'user', content: 'hi' };
const { signal } = new AbortController();

/** An engine that samples a piece whenever it is told to, until the pieces end. */
function steppedEngine(...pieces: readonly (string | readonly number[] | Error)[]) {
  const steps = pieces.map(() => Promise.withResolvers<void>());
  const told = { isAborted: false };
  const engine: Engine = {
    id: 'vllm',
    contextLength: async () => 1_000_000,
    async sample(_request, stopped, onIds) {
      stopped.addEventListener('abort', () => (told.isAborted = true));
      const ids: number[] = [];
      for (const [at, piece] of pieces.entries()) {
        await steps[at]?.promise;
        if (piece instanceof Error) throw piece;
        const next = typeof piece === 'string' ? byteIds(piece) : [...piece];
        ids.push(...next);
        onIds?.(next);
      }
      const logprobs = ids.map(() => -0.25);
      return { ids, logprobs, finish: 'stop', rawFinish: 'stop', cached: null };
    },
    close: async () => undefined,
  };
  return { engine, told, step: (at: number) => steps[at]?.resolve() };
}

function ask(engine: Engine, dialect: Dialect): Promise<Reply> {
  return clientOf(engine).send(exchangeOf(dialect, callOf([hi], true)), signal);
}

async function take(bytes: AsyncIterator<Uint8Array>): Promise<string> {
  const { value } = await bytes.next();
  return Buffer.from((value as Uint8Array | undefined) ?? '').toString();
}

describe.each(dialects)('$id, streamed', (dialect) => {
  test('text and reasoning leave while the rest is sampled [train/live]', async () => {
    const stepped = steppedEngine(
      '<think>\nwhy not',
      '\n</think>\n\nSo be it',
      '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call><|im_end|>',
    );
    stepped.step(0);
    const reply = await ask(stepped.engine, dialect);
    const bytes = reply.body[Symbol.asyncIterator]();
    const first = await take(bytes);
    expect(first).toContain('why not');
    expect(first).not.toContain('So be it');
    stepped.step(1);
    const second = await take(bytes);
    expect(second).toContain('So be it');
    stepped.step(2);
    let text = first + second;
    for (let more = await take(bytes); more !== ''; more = await take(bytes)) text += more;
    const { message, whole, finish } = readReply(dialect, true, text);
    expect({ whole, finish }).toEqual({ whole: true, finish: 'tool_calls' });
    expect(message).toMatchObject({ content: 'So be it', reasoning: 'why not' });
    expect(message?.toolCalls).toMatchObject([{ name: 'f' }]);
    expect((await reply.tokens)?.completionIds).toHaveLength(
      (await reply.tokens)?.logprobs.length ?? -1,
    );
  });

  test('a failure in mid-reply is named, and no sample [train/live]', async () => {
    const stepped = steppedEngine('<think>\nwhy', [9999]);
    stepped.step(0);
    const reply = await ask(stepped.engine, dialect);
    stepped.step(1);
    const text = Buffer.concat(await Array.fromAsync(reply.body)).toString();
    expect(text).toContain('9999');
    expect(readReply(dialect, true, text).error).toMatchObject({
      message: expect.stringContaining('token 9999') as string,
    });
    // The event has no word for it: the record takes the name that a plain reply has.
    expect(reply.failure?.()).toMatchObject({ status: 400, code: 'no_sample' });
    await expect(reply.tokens).rejects.toThrow('9999');
  });

  test('before the first text a failure is one with a status [train/live]', async () => {
    const stepped = steppedEngine([9999]);
    stepped.step(0);
    const reply = await ask(stepped.engine, dialect);
    expect(reply.head.status).toBe(400);
    expect(reply.error).toMatchObject({ code: 'no_sample' });
  });
});

test('a connection that breaks cuts the reply [train/live]', async () => {
  const stepped = steppedEngine('<think>\nwhy', new Error('socket closed'));
  stepped.step(0);
  const reply = await ask(stepped.engine, chatCompletions);
  reply.tokens?.catch(() => undefined);
  stepped.step(1);
  await expect(Array.fromAsync(reply.body)).rejects.toThrow('socket closed');
});

test('whoever does not begin to read stops the engine [train/live]', async () => {
  const stepped = steppedEngine('<think>\nwhy', ' not<|im_end|>');
  stepped.step(0);
  const reply = await ask(stepped.engine, chatCompletions);
  await reply.body[Symbol.asyncIterator]().return?.();
  expect(stepped.told.isAborted).toBe(true);
});

test('whoever stops reading stops the engine [train/live]', async () => {
  const stepped = steppedEngine('<think>\nwhy', ' not<|im_end|>');
  stepped.step(0);
  const reply = await ask(stepped.engine, chatCompletions);
  for await (const chunk of reply.body) {
    expect(Buffer.from(chunk).toString()).toContain('why');
    break;
  }
  await sleep(0);
  expect(stepped.told.isAborted).toBe(true);
});
