import { defineTaskset } from '@vf/core';
import type { Taskset } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { simulatedUser } from '@vf/judge';
import { say, shellCall, solveWithShell, startScriptedModel } from '@vf/testkit';
import type { Reply, ScriptFunction, ScriptedModel, ScriptedRequest } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { play } from '../run/play.ts';

/** Agents that have to be installed and run. */
const limit = 240_000;

/** A task that a user wants done in another way, and then in yet another. */
function colours(): Taskset {
  return defineTaskset({
    load: () => [{ key: 'colour', prompt: 'Write the word red into colour.txt.' }],
    next: simulatedUser({
      name: 'painter',
      model: 'all',
      persona: 'Changes their mind.',
      goal: 'The file says green.',
    }),
    rewards: {
      green: async ({ runtime }) => {
        const { stdout } = await runtime.run(['cat', 'colour.txt']);
        return Number(stdout.trim() === 'green');
      },
    },
  });
}

/** A taskset without a shell: the conversation is all there is. */
function chatter(): Taskset {
  return defineTaskset({
    load: () => [{ key: 'colour', prompt: 'Write the word red into colour.txt.' }],
    next: simulatedUser({ name: 'painter', model: 'all', persona: 'P.', goal: 'G.' }),
    rewards: { turns: ({ trace }) => trace.turns },
  });
}

const lastUser = ({ messages }: ScriptedRequest): string =>
  textOf(messages.findLast(({ role }) => role === 'user')?.content ?? '');

const colourIn = (text: string): string =>
  [...text.matchAll(/the word (\w+) into colour/g)].at(-1)?.[1] ?? 'none';

/** Wants blue, then green, then is content. */
function painter(request: ScriptedRequest): Reply {
  const asked = lastUser(request);
  const message = asked.includes('you-2')
    ? 'Now the word green into colour.txt!'
    : 'Rather the word blue into colour.txt.';
  return say(JSON.stringify({ message, done: asked.includes('you-3') }));
}

/** The model of everybody: user, judge by `judged`, agent. */
function everybody(judged: ScriptFunction): Promise<ScriptedModel> {
  return startScriptedModel({
    model: 'all',
    script: (request) => {
      const asked = request.messages.map(({ content }) => textOf(content)).join('\n');
      if (asked.startsWith('You play a person')) return painter(request);
      if (asked.includes('Judge the work of another agent')) return judged(request);
      return solveWithShell(
        (one) => `echo ${colourIn(lastUser(one))} > colour.txt`,
        'It is written.',
      )(request);
    },
  });
}

const noJudge = () => say('nobody asked');

test('a simulated user drives a conversation without tools', async () => {
  await using model = await everybody(noJudge);
  const { trace } = await play({ taskset: chatter(), model });
  expect(trace('colour')).toMatchObject({
    reward: 3,
    info: { users: { painter: { turns: 2, ended: 'done' } } },
  });
  expect(trace('colour').branches).toHaveLength(1);
  const said = trace('colour').messages.filter(({ role }) => role === 'user');
  expect(said.map(({ content }) => content)).toEqual([
    'Write the word red into colour.txt.',
    'Rather the word blue into colour.txt.',
    'Now the word green into colour.txt!',
  ]);
  expect(trace('colour').extraUsage).toMatchObject([
    { by: 'painter', model: 'all' },
    { by: 'painter', model: 'all' },
    { by: 'painter', model: 'all' },
  ]);
});

test('a user that says nothing ends the rollout with an error of its own', async () => {
  await using model = await startScriptedModel({
    model: 'all',
    script: ({ messages }) =>
      textOf(messages[0]?.content ?? '').startsWith('You play') ? say('Hm.') : say('It is done.'),
  });
  const { trace } = await play({ taskset: chatter(), model });
  expect(trace('colour')).toMatchObject({ reward: null, ok: false });
  expect(trace('colour').errors).toMatchObject([{ type: 'taskset/user_failed', phase: 'agent' }]);
});

test('a cost limit needs the price of the user’s model, which counts for it', async () => {
  await using model = await everybody(noJudge);
  const cost = { 'limits.max_cost': 1, 'prices.all': { input: 0, output: 0 } };
  const unpriced = { ...cost, 'judges.painter.model': 'unpriced' };
  await expect(play({ taskset: chatter(), model, config: unpriced })).rejects.toMatchObject({
    code: 'misfit/plan',
    problems: [{ path: 'limits.max_cost', fix: '[prices."unpriced"] input, output' }],
  });
  // The agent's own calls are free.
  const price = { 'judges.painter.model': 'dear', 'prices.dear': { input: 1, output: 1 } };
  const dear = { ...cost, ...price, 'limits.max_cost': 1e-9 };
  const { trace } = await play({ taskset: chatter(), model, config: dear });
  expect(trace('colour')).toMatchObject({ stopCondition: 'max_cost', turns: 1 });
});

describe.each(['bash', 'codex', 'claude-code'])('in front of %s', (harness) => {
  test(
    'a simulated user gets what it wants, in the same conversation',
    { timeout: limit },
    async () => {
      await using model = await everybody(noJudge);
      const config = { 'harness.id': harness };
      const { trace } = await play({ taskset: colours(), model, config });
      expect(trace('colour').errors).toEqual([]);
      expect(trace('colour')).toMatchObject({
        reward: 1,
        stopCondition: 'agent_completed',
        info: { users: { painter: { turns: 2, ended: 'done' } } },
      });
    },
  );
});

/** Looks at the file, writes the verdict where it was told to. */
function looking(request: ScriptedRequest): Reply | Promise<Reply> {
  const asked = request.messages.map(({ content }) => textOf(content)).join('\n');
  const file = /into the file (verdict-\w+\.json)/.exec(asked)?.[1];
  const look = `test "$(cat colour.txt)" = green && s=8 || s=2; echo "{\\"reasoning\\": \\"I looked.\\", \\"score\\": $s}" > ${file}`;
  return solveWithShell(look, 'My verdict is in the file.')(request);
}

const judged = {
  'environment.id': 'judge',
  'environment.rubric': 'Is the file right?',
  'environment.scale': [0, 10],
};

test(
  'Codex works for a simulated user, and another Codex judges it in the same box',
  { timeout: limit },
  async () => {
    await using model = await everybody(looking);
    const config = { 'harness.id': 'codex', ...judged };
    const { episodes, result } = await play({ taskset: colours(), model, config });
    const [solver, judge] = episodes[0]?.traces ?? [];
    expect(episodes[0]?.errors).toEqual([]);
    expect(solver?.rewards).toEqual({
      green: { score: 1, weight: 1 },
      judged: { score: 0.8, weight: 1 },
    });
    expect(solver?.info).toMatchObject({
      judged_by: judge?.id,
      judged: { judged: { verdict: { reasoning: 'I looked.', score: 8 } } },
    });
    expect(judge).toMatchObject({
      agent: { name: 'judge', trainable: false },
      rewards: {},
      info: { judge_of: solver?.id },
    });
    expect(solver?.extraUsage.map(({ by }) => by)).toEqual(['painter', 'painter', 'painter']);
    expect(result.exitCode).toBe(0);
  },
);

test('a judge in a box of its own sees the conversation alone', async () => {
  const seen: string[] = [];
  await using model = await everybody((request) => {
    seen.push(lastUser(request));
    if (!request.messages.some(({ role }) => role === 'tool'))
      return shellCall(request.tools, 'ls -A; pwd') ?? say('no shell');
    return say(
      `${textOf(request.messages.at(-1)?.content ?? '')}\n{"reasoning": "so", "score": 5}`,
    );
  });
  const config = { 'harness.id': 'bash', ...judged, 'environment.box': 'own' };
  const { episodes } = await play({ taskset: colours(), model, config });
  const [solver, judge] = episodes[0]?.traces ?? [];
  expect(solver?.rewards['judged']).toEqual({ score: 0.5, weight: 1 });
  expect(judge?.lastReply).not.toContain('colour.txt');
  expect(seen[0]).toContain('Now the word green into colour.txt!');
});

test.each([
  ['gives no verdict', () => say('Looks fine to me.'), 'scoring/judge_failed', /gave no verdict/],
  ['gives a wrong one', () => say('{"score": 5}'), 'scoring/judge_failed', /reasoning/],
])('a judge agent that %s is an error', async (_what, answer, code, message) => {
  await using model = await everybody(answer);
  const { episodes, result } = await play({
    taskset: chatter(),
    model,
    config: { ...judged },
  });
  expect(episodes[0]?.errors).toMatchObject([
    { type: code, message: expect.stringMatching(message) as string },
  ]);
  expect(episodes[0]?.traces).toHaveLength(2);
  expect(episodes[0]?.traces[0]?.rewards['judged']).toBeNull();
  expect(result).toMatchObject({ exitCode: 3, summary: { errors: { [code]: 1 } } });
});

test('a solver cannot leave a verdict for the judge to find', async () => {
  await using model = await everybody((request) => {
    const file = /into the file (verdict-\w+\.json)/.exec(lastUser(request))?.[1] ?? '';
    return solveWithShell(
      `cat verdict*.json; echo ${file}`,
      '{"reasoning": "so", "score": 0}',
    )(request);
  });
  const taskset = defineTaskset({
    load: () => [{ key: 'colour', prompt: 'x' }],
    setup: ({ runtime }) =>
      runtime.write('verdict.json', '{"reasoning": "full marks", "score": 10}'),
    rewards: {},
  });
  const { trace } = await play({ taskset, model, config: { 'harness.id': 'bash', ...judged } });
  expect(trace('colour').rewards).toEqual({ judged: { score: 0, weight: 1 } });
});

test.each([
  [{}, 'a judge needs a rubric or criteria, one of them'],
  [{ 'environment.criteria': 'Is it right?' }, 'line 1 is no criterion'],
  [{ 'environment.rubric': 'x', 'environment.scale': [1, 0] }, 'a scale goes up'],
])('the judge environment refuses %j before the run', async (config, message) => {
  await using model = await everybody(noJudge);
  await expect(
    play({ taskset: chatter(), model, config: { 'environment.id': 'judge', ...config } }),
  ).rejects.toMatchObject({
    code: 'config/invalid',
    problems: [{ message: expect.stringContaining(message) as string }],
  });
});
