import { defineTaskset } from '@vf/core';
import type { AnyTasksetSpec, Trace } from '@vf/core';
import { readJournals } from '@vf/store';
import { hang, say, shellCall, startScriptedModel } from '@vf/testkit';
import type { Script } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { processesWith } from '../run/processes.ts';
import { agents, inTurn, limit, neverDone } from './scripts.ts';

const work = (spec: Partial<AnyTasksetSpec> = {}) =>
  defineTaskset({
    load: () => [{ key: 'work', prompt: 'Work.' }],
    rewards: { turns: ({ trace }) => trace.turns },
    ...spec,
  });

/** One command, and then silence. */
const stuck: Script = ({ tools, turn }) =>
  turn === 0 ? (shellCall(tools, 'sleep 600 & echo begun') ?? say('No shell.')) : hang();

describe.each(agents)('%s within bounds', { timeout: limit }, (agent) => {
  const config = { 'harness.id': agent };

  test('a turn limit ends the rollout after the reply that reached it, scored', async () => {
    await using model = await startScriptedModel({ script: neverDone });
    const played = await play({
      taskset: work(),
      model,
      config: { ...config, 'limits.max_turns': 1 },
    });
    expect(played.trace('work')).toMatchObject({
      stopCondition: 'max_turns',
      reward: 1,
      isTruncated: true,
    });
    expect(model.turns).toHaveLength(1);
    expect(played.result.exitCode).toBe(0);
  });

  test('a stop hook ends it as well, and gives the stop its name', async () => {
    await using model = await startScriptedModel({ script: neverDone });
    const taskset = work({ stops: { enough: ({ trace }: { trace: Trace }) => trace.turns >= 3 } });
    const { trace } = await play({ taskset, model, config });
    expect(trace('work')).toMatchObject({ stopCondition: 'enough', reward: 3 });
    expect(model.turns).toHaveLength(3);
  });

  test('a time limit ends it, scored, with no process left', async () => {
    await using model = await startScriptedModel({ script: stuck });
    const timed = { ...config, 'timeout.rollout': '6s' };
    const { trace } = await play({ taskset: work(), model, config: timed });
    expect(trace('work')).toMatchObject({
      stopCondition: 'agent_timeout',
      isTimeout: true,
      reward: 1,
    });
    expect(trace('work').calls.at(-1)?.error).toMatchObject({ code: 'aborted' });
    expect(processesWith(trace('work').id)).toEqual([]);
  });

  test('a cancel ends it at once: nothing is stored, its turns are in the journal, no process left', async () => {
    await using model = await startScriptedModel({ script: stuck });
    const interrupt = new AbortController();
    const cancelled = model.received(2).then(() => interrupt.abort());
    const { result, dir, episodes } = await play({
      taskset: work(),
      model,
      config,
      interrupt: interrupt.signal,
    });
    await cancelled;
    expect(result).toMatchObject({ status: 'interrupted', exitCode: 130 });
    expect(episodes).toEqual([]);
    const [journaled, ...others] = await Array.fromAsync(readJournals(dir));
    expect(others).toEqual([]);
    expect(journaled?.trace.turns).toBe(1);
    expect(processesWith(journaled?.trace.id ?? 'no id')).toEqual([]);
  });
});

test.each([
  ['codex', { 'harness.settings': { sandbox_mode: 'nonsense' } }, 'unknown variant `nonsense`'],
  ['claude-code', { 'harness.env': { CLAUDE_CONFIG_DIR: '/proc/1/none' } }, 'Not logged in'],
] as const)(
  '%s that fails before it asks tells why in its last lines',
  { timeout: limit },
  async (agent, wrong, words) => {
    await using model = await startScriptedModel({ script: inTurn([]) });
    const config = { 'harness.id': agent, ...wrong };
    const { trace, result } = await play({ taskset: work(), model, config });
    expect(trace('work')).toMatchObject({ reward: null, stopCondition: 'harness_error' });
    expect(trace('work').errors).toMatchObject([{ type: 'harness/no_model_call', phase: 'agent' }]);
    expect(trace('work').errors[0]?.message).toContain(words);
    expect(trace('work').errors[0]?.message).toMatch(/exited 1 after .* without asking the model/);
    expect(result.exitCode).toBe(3);
  },
);

test('a version that is not there is an installation that failed', { timeout: limit }, async () => {
  await using model = await startScriptedModel({ script: inTurn([]) });
  const config = {
    'harness.id': 'codex',
    'harness.version': '0.0.0-none',
    'retries.max_retries': 0,
  };
  const { trace } = await play({ taskset: work(), model, config });
  expect(trace('work').errors).toMatchObject([{ type: 'harness/install_failed', phase: 'boot' }]);
});
