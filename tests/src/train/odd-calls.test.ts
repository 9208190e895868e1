import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { byteIds } from '@vf/testkit';
import type { Engine } from '@vf/train';
import { describe, expect, test } from 'vitest';
import { callOf, exchangeOf, readReply } from './exchange.ts';
import { clientOf, scriptedEngine } from './scripted-engine.ts';

const signal = new AbortController().signal;
const bytes = async (body: AsyncIterable<Uint8Array>): Promise<string> =>
  Buffer.concat(await Array.fromAsync(body)).toString();

const ways = [chatCompletions, messages, responses].flatMap((dialect) =>
  [false, true].map((stream) => ({ dialect, stream, id: dialect.id })),
);

/** An engine with a word of its own for the end. */
const own = (): Engine => {
  const engine = scriptedEngine('Well.<|im_end|>');
  const sample: Engine['sample'] = async (...request) => ({
    ...(await engine.sample(...request)),
    rawFinish: 'eos',
  });
  return { ...engine, sample };
};

describe.each(ways)('$id, streamed: $stream', ({ dialect, stream }) => {
  test('an agent hears a word of its own dialect for the end [train/dialects]', async () => {
    await using client = disposable(clientOf(own()));
    const call = callOf([{ role: 'user', content: 'Hi' }], stream);
    const { body } = await client.send(exchangeOf(dialect, call), signal);
    const text = await bytes(body);
    expect(readReply(dialect, stream, text).finish).toBe('stop');
    expect(text).not.toContain('"eos"');
  });

  test('a reply without its end token is no sample, unless a stop word cut it [train/end-token]', async () => {
    await using client = disposable(clientOf(scriptedEngine('Well.')));
    const call = callOf([{ role: 'user', content: 'Hi' }], stream);
    const cut = await client.send(exchangeOf(dialect, call), signal);
    cut.tokens?.catch(() => undefined);
    await bytes(cut.body);
    expect(cut.error ?? cut.failure?.()).toMatchObject({
      code: 'no_sample',
      message: expect.stringContaining('no end token of the renderer') as string,
    });
    const stopped = { ...call, settings: { ...call.settings, stop: ['.'] } };
    const { body, tokens } = await client.send(exchangeOf(dialect, stopped), signal);
    expect(readReply(dialect, stream, await bytes(body))).toMatchObject({ finish: 'stop' });
    expect([...((await tokens)?.completionIds ?? [])]).toEqual(byteIds('Well.'));
  });

  test('a reply ends before the first stop text, in its thoughts too [train/stop-words]', async () => {
    const stop = ['END', 'ST'];
    const [said, thought] = ['One STEND', '<think>\nOne STEND'];
    await using client = disposable(clientOf(scriptedEngine(said, thought)));
    const call = callOf([{ role: 'user', content: 'Hi' }], stream);
    const stopped = { ...call, settings: { ...call.settings, stop } };
    const heard = async () => {
      const { body, tokens } = await client.send(exchangeOf(dialect, stopped), signal);
      const { message, rawFinish } = readReply(dialect, stream, await bytes(body));
      return { message, rawFinish, ids: [...((await tokens)?.completionIds ?? [])] };
    };
    const [plain, thinking] = [await heard(), await heard()];
    expect(plain).toMatchObject({ message: { content: 'One ' }, ids: byteIds(said) });
    expect(thinking.ids).toEqual(byteIds(thought));
    expect(thinking.message?.reasoning?.trim()).toBe('One');
    if (dialect.id !== 'messages') return;
    for (const { message, rawFinish } of [plain, thinking]) {
      expect(rawFinish).toBe('stop_sequence');
      expect(message?.providerState).toContainEqual({ type: 'message', stop_sequence: 'ST' });
    }
  });

  test('a call without a message is refused [train/no-sample]', async () => {
    const engine = scriptedEngine('Well.');
    await using client = disposable(clientOf(engine));
    const { error, tokens } = await client.send(exchangeOf(dialect, callOf([], stream)), signal);
    expect(error).toMatchObject({ code: 'invalid', message: 'the request holds no message' });
    expect(tokens).toBeUndefined();
    expect(engine.asked).toEqual([]);
  });
});

test.each(ways.filter(({ stream }) => stream))(
  '$id: an engine that samples without end is stopped [train/no-sample]',
  async ({ dialect }) => {
    let told = 0;
    const endless: Engine = {
      ...scriptedEngine(''),
      sample: async (_request, live, onIds) => {
        for (; told < 100_000 && !live.aborted; told++) onIds?.(byteIds('a'));
        const ids = byteIds('a'.repeat(100_000));
        const logprobs = ids.map(() => -1);
        return { ids, logprobs, finish: 'length', rawFinish: 'length', cached: null };
      },
    };
    await using client = disposable(clientOf(endless));
    const call = callOf([{ role: 'user', content: 'Hi' }], true);
    const asked = { ...call, settings: { ...call.settings, maxOutputTokens: 50 } };
    const reply = await client.send(exchangeOf(dialect, asked), signal);
    await bytes(reply.body);
    const { error = null, failure } = reply;
    expect(error ?? failure?.()).toMatchObject({ code: 'no_sample' });
    expect(told).toBeLessThan(52);
  },
);

function disposable<T extends { close(): Promise<void> }>(client: T): T & AsyncDisposable {
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}
