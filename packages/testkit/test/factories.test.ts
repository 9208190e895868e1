import { assert, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyMessages, anyTurns } from '../src/arbitrary/index.ts';
import { makeEpisode, makeTrace } from '../src/index.ts';

describe('makeTrace', () => {
  test('is finished, scored and answers its task', () => {
    const trace = makeTrace();
    expect(trace).toMatchObject({ ok: true, reward: 1, lastReply: '4', turns: 1 });
    expect(trace.calls[0]).toMatchObject({ node: 1, finish: 'stop' });
  });

  test('has no reward when one could not be scored', () => {
    expect(makeTrace({ rewards: { good: 1, broken: null } })).toMatchObject({
      ok: false,
      reward: null,
    });
  });

  test('keeps the conversation it is given on one branch', () => {
    assert(
      property(anyTurns(), (turns) => {
        const trace = makeTrace({ turns });
        expect(trace.turns).toBe(turns.length);
        expect(trace.branches).toHaveLength(1);
        expect(trace.messages).toEqual(turns.flatMap((turn) => [...turn.prompt, turn.reply]));
      }),
    );
  });

  test('makes episodes by attempt', () => {
    const episode = makeEpisode({ attempt: 3, rewards: { correct: 0 } });
    expect(episode).toMatchObject({ id: 'sum-1-3', attempt: 3, ok: true });
    expect(episode.traces[0]?.reward).toBe(0);
  });
});

test('arbitrary messages are JSON', () => {
  assert(
    property(anyMessages(), (messages) => {
      expect(JSON.parse(JSON.stringify(messages))).toEqual(messages);
    }),
  );
});
