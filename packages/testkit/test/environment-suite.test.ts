import { defineEnvironment } from '@vf/core';
import type { Environment, PlayCtx } from '@vf/core';
import { expect, test } from 'vitest';
import { environmentChecks } from '../src/conformance/environment/checks.ts';
import { makeTrace } from '../src/index.ts';

const options = {
  task: { key: 'sum', prompt: 'What is 2 + 2?' },
  replies: { solver: ['5', '4'] },
} as const;

type Ctx = PlayCtx<{ solver: object }, object, object>;

function playing(play: (ctx: Ctx) => Promise<void>): Environment {
  return defineEnvironment({ roles: { solver: {} }, play });
}

/** Names of the checks that an environment fails. */
async function failures(environment: Environment): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of environmentChecks)
    await run(environment, options).catch(() => failed.push(name));
  return failed;
}

test('a sound environment passes: a conversation, a reward, a choice', async () => {
  const sound = playing(async ({ task, agents, reward, choose }) => {
    const conversation = await agents.solver.open(task);
    await conversation.say('Sure?');
    const solved = await conversation.end();
    reward(solved, 'right', solved.trace.lastReply === null ? null : 1, 0.5);
    choose(solved);
  });
  expect(await failures(sound)).toEqual([]);
});

const flawed: Readonly<Record<string, readonly [(ctx: Ctx) => Promise<void>, RegExp]>> = {
  'plays nothing': [async ({ signal }) => signal.throwIfAborted(), /^plays an episode/],
  'rewards with what is no number': [
    async ({ task, agents, reward }) => reward(await agents.solver.run(task), 'r', Number.NaN),
    /^gives finite rewards/,
  ],
  'rewards what it made up': [
    async ({ task, agents, reward }) =>
      reward({ ...(await agents.solver.run(task)), trace: makeTrace() }, 'r', 1),
    /^gives finite rewards/,
  ],
  'chooses twice': [
    async ({ task, agents, choose }) => {
      choose(await agents.solver.run(task));
      choose(await agents.solver.run(task));
    },
    /^chooses at most one/,
  ],
  'trips over a missing reply': [
    async ({ task, agents }) => {
      const { trace } = await agents.solver.run(task);
      if (trace.lastReply === null) throw new Error('no reply');
    },
    /^takes rollouts that failed/,
  ],
  'swallows a cancel': [
    async ({ task, agents }) => void (await agents.solver.run(task).catch(() => null)),
    /^does not hide/,
  ],
};

test.each(Object.entries(flawed))(
  'one that %s fails by that check',
  async (_what, [play, words]) => {
    const failed = await failures(playing(play));
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatch(words);
  },
);

test('one that leaves a conversation open fails, well or broken', async () => {
  const open = playing(async ({ task, agents }) => {
    await (await agents.solver.open(task)).say('Hello?');
    await agents.solver.run(task);
  });
  expect(await failures(open)).toEqual([
    expect.stringMatching(/^plays an episode/),
    expect.stringMatching(/^takes rollouts/),
  ]);
});
