import { defineTaskset } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { say, startScriptedModel } from '@vf/testkit';
import type { Script, ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { misbehaviours } from './misbehaviours.ts';
import { play } from './play.ts';
import type { Played } from './play.ts';

const dialects = ['chat-completions', 'responses', 'messages'] as const;
const ways = dialects.flatMap((dialect) => [true, false].map((stream) => ({ dialect, stream })));

/** One run a way of asking, all at once: each task is one way to misbehave, played with one retry. */
const runs = new Map<string, Played>();
const models: ScriptedModel[] = [];
const cleanUps: (() => Promise<void>)[] = [];

beforeAll(async () => {
  await Promise.all(
    ways.map(async ({ dialect, stream }) => {
      const cases = misbehaviours(stream);
      const script: Script = ({ messages }) =>
        cases[textOf(messages.at(-1)?.content ?? '')]?.reply ?? say('Good.');
      const model = await startScriptedModel({ script });
      models.push(model);
      const taskset = defineTaskset({
        load: () => Object.keys(cases).map((prompt) => ({ key: prompt, prompt })),
        rewards: { good: ({ trace }) => Number(trace.lastReply === 'Good.') },
      });
      const config = {
        'harness.stream': stream,
        'client.dialects': [dialect],
        'retries.max_retries': 1,
        'gate.stop_after': 0,
        'timeout.rollout': '12s',
      };
      const cleanUp = (work: () => Promise<void>): unknown => cleanUps.push(work);
      runs.set(`${dialect} ${stream}`, await play({ taskset, model, config, cleanUp }));
    }),
  );
}, 120_000);

afterAll(async () => {
  await Promise.all([...models.map((model) => model.close()), ...cleanUps.map((work) => work())]);
});

describe.each(ways)('a provider of $dialect, stream $stream', ({ dialect, stream }) => {
  const run = (): Played => runs.get(`${dialect} ${stream}`) ?? expect.fail('no run');

  test.each(Object.entries(misbehaviours(stream)))(
    '%s ends in its own error class and never in a reward of 0',
    (key, { code, attempts, again }) => {
      const trace = run().trace(key);
      expect(trace.calls.map((call) => call.attempt)).toEqual(
        Array.from({ length: attempts }, (_, index) => index + 1),
      );
      const rollouts = again ? 2 : 1;
      expect(trace.errors.map(({ type }) => type)).toEqual(
        code === null ? [] : Array.from({ length: rollouts }, () => code),
      );
      expect(trace.reward).toBe(code === null ? 1 : null);
      const asked = asks(dialect, stream).filter((prompt) => prompt === key);
      expect(asked).toHaveLength(attempts * rollouts);
    },
  );

  test('the run goes on to its end, and its exit code says that not all is scored', () => {
    const { result } = run();
    expect(result).toMatchObject({ status: 'complete', exitCode: 3 });
    expect(result.summary.figures).toMatchObject({ scored: 3, reward: { mean: 1 } });
  });
});

/** The prompts of all calls that reached the provider of one run. */
function asks(dialect: string, stream: boolean): string[] {
  return models.flatMap(({ turns }) =>
    turns.flatMap(({ call }) =>
      call?.dialect === dialect && call.stream === stream
        ? [textOf(call.messages.at(-1)?.content ?? '')]
        : [],
    ),
  );
}
