import { VfError } from '@vf/core/errors';
import { expect, test } from 'vitest';
import { play } from './play.ts';
import { World, tasksetOf } from './world.ts';

test('an infrastructure failure is tried again in a fresh box, recorded, and scored in the end', async () => {
  const world = new World();
  world.bootFailures = [
    new VfError('runtime/boot_failed', 'no room'),
    new VfError('runtime/boot_failed', 'no room'),
  ];
  const { trace } = await play(world);
  expect(trace).toMatchObject({ ok: true, reward: 1, info: { retries: 2 } });
  expect(trace?.errors).toMatchObject([{ attempt: 1, phase: 'boot' }, { attempt: 2 }]);
  expect(world.sleeps).toEqual([100, 200]);
});

test('what the provider asks for is waited, and its last error is the rollout’s', async () => {
  const world = new World();
  world.answers = [{ status: 429, code: 'rate_limit', message: 'slow down', retryAfterMs: 5_000 }];
  const { trace } = await play(world);
  expect(world.sleeps.filter((ms) => ms >= 5_000)).toHaveLength(3);
  expect(trace).toMatchObject({ ok: false, reward: null, stopCondition: 'provider_error' });
  expect(trace?.errors.at(-1)).toMatchObject({
    type: 'provider/rate_limited',
    status: 429,
    phase: 'agent',
  });
  expect(world.boxes.every((box) => box.isStopped)).toBe(true);
});

test('a provider that asks for an hour is not waited for', async () => {
  const world = new World();
  const retryAfterMs = 3_600_000;
  world.answers = [{ status: 429, code: 'rate_limit', message: 'slow down', retryAfterMs }];
  const { trace } = await play(world);
  expect(world.boxes).toHaveLength(1);
  expect(trace).toMatchObject({ reward: null, errors: [{ type: 'provider/rate_limited' }] });
});

test.each([401, 404])('a refusal with %s is not tried again', async (status) => {
  const world = new World();
  world.answers = [{ status, code: status === 401 ? 'auth' : 'not_found', message: 'no' }];
  await play(world);
  expect(world.boxes).toHaveLength(1);
});

test('a rule decides how often a code is tried again', async () => {
  const world = new World();
  world.answers = [{ status: 529, code: 'overloaded', message: 'busy' }];
  const retries = {
    maxRetries: 0,
    rules: [{ code: 'provider/*', statusCodes: [529], maxRetries: 2 }],
    baseDelayMs: 1,
    maxDelayMs: 1,
  };
  await play(world, { role: world.role({ retries }) });
  expect(world.boxes).toHaveLength(3);
});

test.each([
  ['finalize', 2],
  ['setup', 4],
] as const)('a box that breaks in %s: %d in all', async (stage, boxes) => {
  const world = new World();
  const gone = async (): Promise<never> => {
    throw new VfError('runtime/box_gone', 'box 1 was removed');
  };
  const { trace } = await play(world, {
    taskset: tasksetOf({ spec: { load: () => [], [stage]: gone } }),
  });
  expect(trace).toMatchObject({ ok: false, reward: null });
  expect(world.boxes).toHaveLength(boxes);
});

test('a prompt that is too long and never shortened ends the rollout, scored', async () => {
  const world = new World();
  world.answers = ['first', { status: 400, code: 'context_length', message: 'too long' }];
  const role = world.role({}, async (prompt) => {
    await world.call(prompt);
    return world.turn(prompt);
  });
  const { trace } = await play(world, { role });
  expect(trace).toMatchObject({
    stopCondition: 'context_length',
    ok: true,
    reward: 1,
    isTruncated: true,
  });
});

test('a first prompt that never fitted is an error, not a 0', async () => {
  const world = new World();
  world.answers = [{ status: 400, code: 'context_length', message: 'too long' }];
  const { trace } = await play(world);
  expect(trace).toMatchObject({ ok: false, reward: null });
  expect(trace?.errors).toMatchObject([{ type: 'provider/context_length' }]);
});

test('an agent that never asks the model is an error with its last words', async () => {
  const world = new World();
  const program = {
    exitCode: 1,
    signal: null,
    stdout: '',
    stderr: 'line one\nerror loading config\n',
    truncated: false,
    timedOut: false,
    oomKilled: false,
    durationMs: 300,
  };
  const { trace } = await play(world, {
    role: world.role({}, async () => ({ status: 'failed', program })),
  });
  expect(trace?.errors[0]).toMatchObject({ type: 'harness/no_model_call' });
  expect(trace?.errors[0]?.message).toContain(
    'scripted exited 1 after 0.3 s without asking the model; its last lines:\n  | line one\n  | error loading config',
  );
  expect(trace?.reward).toBeNull();
});

test('an agent that began to ask the model and has no call is not said to have asked nothing', async () => {
  const world = new World();
  const ends = async () => {
    world.session?.onRequest?.();
    return { status: 'completed' } as const;
  };
  const { trace } = await play(world, { role: world.role({}, ends) });
  expect(trace?.errors).toMatchObject([
    {
      type: 'harness/no_model_call',
      message:
        'scripted ended; what it asked the model broke off before it was sent on, or could not be read',
    },
  ]);
  const hangs = (): Promise<never> => {
    world.session?.onRequest?.();
    return new Promise(() => undefined);
  };
  const { trace: late } = await play(world, {
    role: world.role({ timeouts: { agent: 20 } }, hangs),
  });
  expect(late?.errors).toMatchObject([
    {
      type: 'harness/no_model_call',
      message: expect.stringMatching(
        /no call of the model when its time was up; .*broke off/,
      ) as string,
    },
  ]);
});

test('an exit code is not the truth: a good last call and a completed segment are', async () => {
  const world = new World();
  const program = {
    exitCode: 3,
    signal: null,
    stdout: '',
    stderr: '',
    truncated: false,
    timedOut: false,
    oomKilled: false,
    durationMs: 1,
  };
  const { trace } = await play(world, {
    role: world.role({}, async (prompt) => ({ ...(await world.turn(prompt)), program })),
  });
  expect(trace).toMatchObject({ ok: true, stopCondition: 'agent_completed' });
});

test('a time limit that strikes while the provider fails is the provider’s failure, unscored', async () => {
  const world = new World();
  world.answers = ['first', { status: 500, code: 'provider', message: 'down' }];
  const role = world.role(
    {
      timeouts: { agent: 30 },
      retries: { maxRetries: 0, rules: [], baseDelayMs: 1, maxDelayMs: 1 },
    },
    async (prompt) => {
      await world.call(prompt);
      await world.call(prompt);
      return new Promise(() => undefined);
    },
  );
  const { trace } = await play(world, { role });
  expect(trace).toMatchObject({ ok: false, reward: null, stopCondition: 'provider_error' });
  expect(trace?.errors).toMatchObject([{ type: 'provider/server_error', phase: 'agent' }]);
});

test('an agent that has not come to ask the model when its time is up is no failed attempt', async () => {
  const world = new World();
  const hangs = (): Promise<never> => new Promise(() => undefined);
  const role = world.role({ timeouts: { agent: 20 } }, hangs);
  const { trace } = await play(world, { role });
  expect(trace).toMatchObject({
    reward: null,
    errors: [{ type: 'harness/no_model_call', message: expect.stringContaining('its time') }],
  });
  expect(world.log).toContain('agent closed');

  const { harness } = role;
  const capabilities = { ...harness.spec.capabilities, callsModel: false };
  const own = { ...role, harness: { ...harness, spec: { ...harness.spec, capabilities } } };
  const { trace: scored } = await play(world, { role: own });
  expect(scored).toMatchObject({ reward: 1, stopCondition: 'agent_timeout', errors: [] });
});

test.each([
  ['and ends there', 1],
  ['and asks again until it can', 2],
])(
  'a reply that cannot be trained on is final, though the agent hears of it %s',
  async (_, calls) => {
    const world = new World();
    world.answers = [{ status: 400, code: 'no_sample', message: 'no logprobs' }, 'told in full'];
    const role = world.role({}, async (prompt) => {
      for (let call = 1; call < calls; call++) await world.call(prompt);
      return world.turn(prompt);
    });
    const { trace } = await play(world, { role });
    expect(world.boxes).toHaveLength(1);
    expect(trace).toMatchObject({ ok: false, reward: null });
    expect(trace?.errors).toMatchObject([{ type: 'training/no_sample' }]);
  },
);

test('nor is it the agent’s fault when its time is up after it', async () => {
  const world = new World();
  world.answers = [{ status: 400, code: 'no_sample', message: 'no logprobs' }];
  const role = world.role({ timeouts: { agent: 20 } }, async (prompt) => {
    await world.call(prompt);
    return new Promise(() => undefined);
  });
  const { trace } = await play(world, { role });
  expect(trace).toMatchObject({ reward: null });
  expect(trace?.errors).toMatchObject([{ type: 'training/no_sample' }]);
});

test.each([
  new VfError('runtime/box_gone', 'box 1 was removed'),
  new VfError('harness/failed', 'the program ended'),
])('nor does what the agent throws after it hide it: %s', async (thrown) => {
  const world = new World();
  world.answers = [{ status: 400, code: 'no_sample', message: 'no logprobs' }];
  const role = world.role({}, async (prompt) => {
    await world.call(prompt);
    throw thrown;
  });
  const { trace } = await play(world, { role });
  expect(world.boxes).toHaveLength(1);
  expect(trace?.errors).toMatchObject([{ type: 'training/no_sample' }]);
});
