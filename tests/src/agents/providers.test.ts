import { defineTaskset } from '@vf/core';
import { cut, fail, say, startScriptedModel } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { agents, limit } from './scripts.ts';

const taskset = defineTaskset({
  load: () => [{ key: 'work', prompt: 'Say heron.' }],
  rewards: { said: ({ trace }) => Number(trace.lastReply === 'heron') },
});

const longText = say('word '.repeat(40), { pieces: 20 });

describe.each(agents)('%s and a provider that', { timeout: limit }, (agent) => {
  test.each([
    ['answers 500', fail(500), 'provider/server_error', 4],
    ['answers 429 for an hour', fail(429, { retryAfter: 3600 }), 'provider/rate_limited', 1],
    ['breaks off in mid-stream', [longText, cut(5)], 'provider/stream_cut', 1],
  ])('%s', async (_how, reply, code, attempts) => {
    await using model = await startScriptedModel({ script: () => reply });
    const config = { 'harness.id': agent, 'retries.max_retries': 0 };
    const { trace, result } = await play({ taskset, model, config });
    expect(trace('work').errors).toMatchObject([{ type: code, phase: 'agent' }]);
    expect(trace('work')).toMatchObject({ reward: null, rewards: {}, turns: 0 });
    expect(trace('work').calls).toHaveLength(attempts);
    expect(model.turns).toHaveLength(attempts);
    expect(result.exitCode).toBe(3);
  });

  test('refuses the key', async () => {
    await using model = await startScriptedModel({ script: () => fail(401) });
    const { trace } = await play({ taskset, model, config: { 'harness.id': agent } });
    expect(trace('work').errors).toMatchObject([{ type: 'provider/auth', phase: 'agent' }]);
    expect(trace('work').reward).toBeNull();
    // Claude Code asks its key helper anew, twice.
    expect(model.turns.length).toBeLessThanOrEqual(3);
  });

  test('recovers: the rollout is tried again and scored, and says what it cost', async () => {
    let calls = 0;
    await using model = await startScriptedModel({
      script: () => (++calls <= 4 ? fail(503) : say('heron')),
    });
    const config = { 'harness.id': agent, 'retries.max_retries': 1 };
    const { trace, result, events } = await play({ taskset, model, config });
    expect(trace('work')).toMatchObject({ reward: 1, ok: true });
    expect(trace('work').errors).toMatchObject([{ type: 'provider/overloaded', attempt: 1 }]);
    expect(events.filter(({ type }) => type === 'rollout.retry')).toHaveLength(1);
    expect(result.exitCode).toBe(0);
  });
});
