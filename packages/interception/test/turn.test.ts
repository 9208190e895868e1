import { afterEach, describe, expect, test } from 'vitest';
import { rig, userTurn } from './rig.ts';
import type { Rig } from './rig.ts';
import { eventsOf, plain, streamed } from './scripted-provider.ts';

let open: Rig | null = null;
afterEach(() => open?.close());

async function start(...options: Parameters<typeof rig>): Promise<Rig> {
  open = await rig(...options);
  return open;
}

describe('a plain turn', () => {
  test('is passed on, answered and recorded', async () => {
    const { provider, trace, post } = await start();
    provider.script(
      plain({
        id: 'r_1',
        model: 'real-model',
        text: 'hello',
        finish: 'stop',
        usage: { inputTokens: 3, outputTokens: 2 },
      }),
    );
    const response = await post(userTurn('hi'));
    expect(await response.json()).toMatchObject({ text: 'hello' });
    expect(trace.messages).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
    ]);
    expect(trace.calls).toMatchObject([
      {
        node: 1,
        model: 'real-model',
        requestedModel: 'asked-model',
        finish: 'stop',
        status: 200,
        attempt: 1,
        error: null,
      },
    ]);
  });
});

describe('a streamed turn', () => {
  test('keeps every byte and is recorded', async () => {
    const { provider, trace, post } = await start({ includeUsage: false });
    const text = eventsOf('one two three');
    provider.script(streamed(text));
    const response = await post({ ...userTurn('hi'), stream: true });
    expect(await response.text()).toBe(text);
    expect(trace.lastReply).toBe('one two three');
    expect(trace.calls).toMatchObject([{ usage: { inputTokens: 10, outputTokens: 5 } }]);
  });
});
