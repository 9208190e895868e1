import type { AnyHook, Runtime } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { expect, test } from 'vitest';
import { play, scored } from './play.ts';
import { World, taskOf, tasksetOf } from './world.ts';

test('the stages come in order and the box is freed last', async () => {
  const world = new World();
  const { episode, trace } = await play(world);
  expect(world.log).toEqual([
    'boot',
    'setup',
    'agent',
    'agent closed',
    'session closed',
    'finalize',
    'scoring',
    'done',
    'box-1 stopped',
  ]);
  expect(trace).toMatchObject({
    reward: 1,
    stopCondition: 'agent_completed',
    ok: true,
    isCompleted: true,
  });
  expect(episode.ok).toBe(true);
});

test('what a runtime warns of is in the log', async () => {
  const world = new World();
  const { runtime } = world;
  const warning: Runtime = {
    ...runtime,
    create: (spec, signal) => {
      spec.warn?.('no limit of memory here');
      return runtime.create(spec, signal);
    },
  };
  Object.assign(world, { runtime: warning });
  await play(world);
  expect(world.log).toContain('warn: no limit of memory here');
});

test('hooks share one state, and setup can give the prompt', async () => {
  const world = new World();
  let asked = '';
  const role = world.role({}, async (prompt) => {
    asked = prompt;
    return world.turn(prompt);
  });
  const taskset = tasksetOf({
    spec: {
      load: () => [],
      state: () => ({ secret: 0 }),
      setup: ({ state }) => {
        state.secret = 7;
        return { prompt: 'from setup' };
      },
    },
    rewards: scored(({ state }) => (state as { secret: number }).secret),
  });
  const { trace } = await play(world, { role, taskset });
  expect(asked).toBe('from setup');
  expect(trace?.reward).toBe(7);
  expect(trace?.effectiveTask).toEqual({ prompt: 'from setup' });
});

test('a limit is a stop condition, and the rollout is scored', async () => {
  const world = new World();
  const role = world.role({ limits: { maxTurns: 2 } }, async (prompt) => {
    while ((await world.call(prompt)) !== null);
    return { status: 'failed' };
  });
  const { trace } = await play(world, { role });
  expect(trace).toMatchObject({
    stopCondition: 'max_turns',
    reward: 1,
    ok: true,
    turns: 2,
    isTruncated: true,
  });
  expect(world.refusals.map(({ status }) => status)).toEqual([400]);
});

test.each([
  ['maxInputTokens', 25, 'max_input_tokens', 3],
  ['maxOutputTokens', 10, 'max_output_tokens', 2],
  ['maxTotalTokens', 16, 'max_total_tokens', 2],
  ['maxCost', 0.4, 'max_cost', 1],
] as const)('%s ends the rollout', async (limit, value, stop, turns) => {
  const world = new World();
  const role = world.role({ limits: { [limit]: value } }, async (prompt) => {
    while ((await world.call(prompt)) !== null);
    return { status: 'failed' };
  });
  const { trace } = await play(world, { role });
  expect(trace).toMatchObject({ stopCondition: stop, turns, ok: true });
});

test('a stop hook names the stop condition', async () => {
  const world = new World();
  const role = world.role({}, async (prompt) => {
    while ((await world.call(prompt)) !== null);
    return { status: 'failed' };
  });
  const taskset = tasksetOf({
    rewards: scored(() => 1),
    stops: [{ name: 'enough', stops: ({ trace }: AnyHook) => trace.turns >= 3 }],
  });
  const { trace } = await play(world, { role, taskset });
  expect(trace).toMatchObject({ stopCondition: 'enough', turns: 3, reward: 1 });
});

test('a broken grader is an error and never a zero; the other scores stay', async () => {
  const world = new World();
  const taskset = tasksetOf({
    rewards: [
      {
        name: 'broken',
        weight: 1,
        priority: 1,
        score: () => {
          throw new Error('grader fell over');
        },
      },
      { name: 'fine', weight: 2, priority: 0, score: () => 0.5 },
    ],
    metrics: [{ name: 'words', score: () => 3 }],
  });
  const { trace } = await play(world, { taskset });
  expect(trace).toMatchObject({
    ok: false,
    reward: null,
    rewards: { broken: null, fine: { score: 0.5, weight: 2 } },
    metrics: { words: 3 },
  });
  expect(trace?.errors).toMatchObject([
    {
      type: 'scoring/hook_failed',
      phase: 'scoring',
      message: expect.stringContaining('grader fell over'),
    },
  ]);
});

test.each([Number.NaN, Infinity, true, '1', undefined])(
  'a reward of %s is refused',
  async (value) => {
    const { trace } = await play(new World(), {
      taskset: tasksetOf({ rewards: scored(() => value as number) }),
    });
    expect(trace?.errors[0]?.type).toBe('scoring/invalid_score');
    expect(trace?.reward).toBeNull();
  },
);

test('rewards of higher priority run first, equal ones together', async () => {
  const order: string[] = [];
  const reward = (name: string, priority: number) => ({
    name,
    weight: 1,
    priority,
    score: async () => {
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      return 1;
    },
  });
  await play(new World(), {
    taskset: tasksetOf({ rewards: [reward('late', 0), reward('a', 5), reward('b', 5)] }),
  });
  expect(order).toEqual(['a begins', 'b begins', 'a ends', 'b ends', 'late begins', 'late ends']);
});

test('the agent’s time limit is a stop condition and the rollout is scored', async () => {
  const world = new World();
  const role = world.role({ timeouts: { agent: 30 } }, async (prompt) => {
    await world.call(prompt);
    return new Promise(() => undefined);
  });
  const { trace } = await play(world, { role });
  expect(trace).toMatchObject({
    stopCondition: 'agent_timeout',
    isTimeout: true,
    ok: true,
    reward: 1,
  });
  expect(world.log).toContain('agent closed');
});

test('an agent whose every call is refused until its time is up has not tried the task', async () => {
  const world = new World();
  world.answers = [{ status: 400, code: 'invalid', message: 'sample freely' }];
  const role = world.role({ timeouts: { agent: 200 } }, async (prompt) => {
    await world.call(prompt).catch(() => undefined);
    return new Promise(() => undefined);
  });
  const { trace } = await play(world, { role });
  expect(trace).toMatchObject({
    ok: false,
    reward: null,
    errors: [{ type: 'provider/invalid_request' }],
  });
});

test.each([
  ['setup', 'taskset/timeout'],
  ['finalize', 'taskset/timeout'],
] as const)('a %s that never ends is given up', async (hook, code) => {
  const world = new World();
  const taskset = tasksetOf({
    spec: { load: () => [], [hook]: () => new Promise<undefined>(() => undefined) },
    rewards: scored(() => 1),
  });
  const { trace } = await play(world, { taskset, role: world.role({ timeouts: { [hook]: 20 } }) });
  expect(trace?.errors[0]).toMatchObject({ type: code, phase: hook });
  expect(world.boxes[0]?.isStopped).toBe(true);
});

test('a reward that never ends is given up', async () => {
  const world = new World();
  const taskset = tasksetOf({
    rewards: [{ name: 'slow', weight: 1, priority: 0, score: () => new Promise(() => undefined) }],
  });
  const { trace } = await play(world, { taskset, role: world.role({ timeouts: { scoring: 20 } }) });
  expect(trace?.errors[0]?.type).toBe('scoring/timeout');
  expect(trace?.rewards).toEqual({ slow: null });
});

test('cancelling ends the agent, frees the box and scores nothing', async () => {
  const world = new World();
  const controller = new AbortController();
  const role = world.role({}, async (prompt) => {
    await world.call(prompt);
    controller.abort(new VfError('cancelled', 'stopped by SIGINT'));
    return new Promise(() => undefined);
  });
  const { episode } = await play(world, { role, signal: controller.signal });
  expect(episode.ok).toBe(false);
  await expect.poll(() => world.boxes[0]?.isStopped).toBe(true);
});

test('next drives further turns in the same or a fresh session', async () => {
  const world = new World();
  const said: string[] = [];
  const role = world.role({}, async (prompt) => {
    said.push(prompt);
    return world.turn(prompt);
  });
  const turns = [
    { prompt: 'and then?', session: 'resume' },
    { prompt: 'anew', session: 'fresh' },
    null,
  ] as const;
  let asked = 0;
  const taskset = tasksetOf({
    spec: { load: () => [], next: () => turns[asked++] ?? null },
    rewards: scored(() => 1),
  });
  const { trace } = await play(world, { role, taskset });
  expect(said).toEqual(['go', 'and then?', 'anew']);
  expect(world.log.filter((line) => line === 'agent closed')).toHaveLength(2);
  expect(trace?.turns).toBe(3);
});

test('a message that next refills for each turn stays in the trace as it was said', async () => {
  const world = new World();
  const asker = world.role({}, async () => ({ status: 'completed', reply: 'as you say' }));
  const spec = { ...asker.harness.spec, capabilities: { callsModel: false } };
  const role = { ...asker, harness: { ...asker.harness, spec } };
  const message = { role: 'user' as const, content: '' };
  const words = ['left', 'right'];
  const taskset = tasksetOf({
    spec: {
      load: () => [],
      next: () => {
        const word = words.shift();
        if (word === undefined) return null;
        message.content = word;
        return { prompt: [message], session: 'resume' };
      },
    },
  });
  const { trace } = await play(world, { role, taskset });
  const said = trace?.graph.nodes.map(({ message: { content } }) => content);
  expect(said?.filter((content) => content !== 'as you say')).toEqual(['go', 'left', 'right']);
});

test('a secret in a row’s env is filled in and never traced', async () => {
  const world = new World();
  let given: unknown;
  const { create } = world.runtime;
  const plugin = {
    ...world.runtime,
    create: async (spec: Parameters<typeof create>[0], signal: AbortSignal) => {
      given = spec.env;
      return create(spec, signal);
    },
  };
  const role = world.role({ runtime: { id: 'counting', plugin, config: {} } });
  const services = world.services({
    secret: (name) => (name === 'DB_KEY' ? 'hunter2' : undefined),
  });
  const { trace } = await play(world, {
    role,
    services,
    task: taskOf({ env: { KEY: '${DB_KEY}' } }),
  });
  expect(given).toEqual({ KEY: 'hunter2' });
  expect(JSON.stringify(trace?.task)).not.toContain('hunter2');
  expect(trace?.task.data).not.toHaveProperty('env');
});

test('a secret that is not set is named, with what to type', async () => {
  const { trace } = await play(new World(), { task: taskOf({ env: { KEY: '${DB_KEY}' } }) });
  expect(trace?.errors[0]?.message).toContain('DB_KEY, which is not set');
});

test('a row’s own limit wins over the role’s, stretched by the multiplier', async () => {
  const world = new World();
  const hang = world.role({ timeouts: { agent: 60_000 }, timeoutMultiplier: 2 }, async (prompt) => {
    await world.call(prompt);
    return new Promise(() => undefined);
  });
  const { trace } = await play(world, { role: hang, task: taskOf({ timeouts: { agent: 15 } }) });
  expect(trace?.stopCondition).toBe('agent_timeout');
});

test('env values have defaults, and references that are meant literally', async () => {
  const world = new World();
  const env = { A: 'in ${A_DIR:-/tmp}', B: '$${HOME}', C: '${A_DIR:-}' };
  const specs: unknown[] = [];
  const plugin = {
    ...world.runtime,
    create: async (...given: Parameters<typeof world.runtime.create>) => {
      specs.push(given[0]);
      return world.runtime.create(...given);
    },
  };
  const role = world.role({ runtime: { id: 'counting', plugin, config: {} } });
  const build = { context: '/tasks/a/environment' };
  await play(world, { role, task: taskOf({ env, build, user: 'clerk', workdir: '/app' }) });
  expect(specs).toMatchObject([
    { env: { A: 'in /tmp', B: '${HOME}', C: '' }, build, user: 'clerk', workdir: '/app' },
  ]);
});

test('a turn that takes longer than its own limit is ended, and next asked what follows', async () => {
  const world = new World();
  const asked: boolean[] = [];
  const role = world.role({}, async (prompt) => {
    const segment = await world.turn(prompt);
    return prompt === 'quick' ? segment : new Promise(() => undefined);
  });
  const taskset = tasksetOf({
    spec: {
      load: () => [],
      setup: () => ({ turnTimeout: 10 }),
      next: ({ trace }: AnyHook) => {
        asked.push(trace.isTimeout);
        const agent = [60_000, 10][asked.length - 1];
        if (agent === undefined) return null;
        const prompt = agent === 10 ? 'slow' : 'quick';
        return { prompt, session: 'fresh' as const, timeouts: { agent } };
      },
    },
  });
  const { trace } = await play(world, { role, taskset });
  expect(asked).toEqual([true, true, true]);
  expect(trace).toMatchObject({ ok: true, stopCondition: 'agent_timeout', isTimeout: true });
});

test('a policy that a further turn asks for leaves the model reachable', async () => {
  const world = new World();
  const turns = [
    { prompt: 'offline now', session: 'resume', network: { mode: 'no-network' } },
    null,
  ] as const;
  let asked = 0;
  const taskset = tasksetOf({
    spec: { load: () => [], next: () => turns[asked++] ?? null },
    rewards: scored(() => 1),
  });
  const { trace } = await play(world, { taskset });
  expect(trace?.turns).toBe(2);
  expect(world.log).toContain('network no-network, but http://127.0.0.1:1');
});
