import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTaskset } from '@vf/core';
import { judge } from '@vf/judge';
import { fail, finish, hang, hangUp, identity, say, usage } from '@vf/testkit';
import { describe, expect, test } from 'vitest';
import { play, rescore } from '../run/play.ts';
import { isJudge, judgeCalls, judgingModel, prices, verdict, writing } from './world.ts';

const counted = usage({ inputTokens: 100, outputTokens: 10 });
const soon = { headers: { 'retry-after-ms': '1' } };

const formats = {
  'chat-completions': { response_format: { type: 'json_schema', json_schema: { strict: true } } },
  responses: { text: { format: { type: 'json_schema', strict: true } } },
  messages: { output_config: { format: { type: 'json_schema' } } },
};

describe.each(['chat-completions', 'responses', 'messages'] as const)('over %s', (dialect) => {
  const config = { 'client.dialects': [dialect], ...prices };

  test('a judge is asked for its form, and what it takes is on the bill', async () => {
    await using model = await judgingModel(() => [verdict(0.25), counted]);
    const { result, trace } = await play({ taskset: writing({ votes: 3 }), model, config });
    expect(trace('bird').rewards).toEqual({ style: { score: 0.25, weight: 1 } });
    const [first] = judgeCalls(model);
    expect(first?.call?.body).toMatchObject({ model: 'judge-model', ...formats[dialect] });
    expect(first?.call?.dialect).toBe(dialect);
    expect(first?.headers['anthropic-version'] !== undefined).toBe(dialect === 'messages');
    const tokens = { inputTokens: 100, outputTokens: 10, cost: 0.12 };
    const taken = { by: 'style', model: 'judge-model', ...tokens };
    expect(trace('bird').extraUsage).toMatchObject([taken, taken, taken]);
    const agent = trace('bird').usage;
    expect(result.summary).toMatchObject({
      inputTokens: agent.inputTokens + 300,
      outputTokens: agent.outputTokens + 30,
      unpriced: 0,
    });
    expect(result.summary.cost).toBeCloseTo((agent.cost ?? NaN) + 0.36);
  });

  test('a server without structured output is told in words alone', async () => {
    const key = dialect === 'responses' ? 'text.format' : Object.keys(formats[dialect])[0];
    await using model = await judgingModel(({ body }) =>
      Object.keys(body).some((name) => name in formats[dialect])
        ? fail(400, { message: `${key} is not supported by this model` })
        : say('Here you are:\n```json\n{"reasoning": "so", "score": 1}\n```'),
    );
    const { trace } = await play({ taskset: writing({ votes: 3 }), model, config });
    expect(trace('bird')).toMatchObject({ reward: 1, errors: [] });
    expect(judgeCalls(model).at(-1)?.call?.body).not.toHaveProperty(
      Object.keys(formats[dialect])[0] ?? '',
    );
  });

  test('a provider that fails for a while is asked again', async () => {
    const failures = [fail(529, soon), fail(429, soon), hangUp()];
    await using model = await judgingModel(() => failures.shift() ?? verdict(1));
    const { trace } = await play({ taskset: writing(), model, config });
    expect(trace('bird')).toMatchObject({ reward: 1, errors: [] });
    expect(judgeCalls(model)).toHaveLength(4);
  });

  test('a refusal is an error', async () => {
    await using model = await judgingModel(() => [say('I cannot.'), finish('content_filter')]);
    const { trace, result } = await play({ taskset: writing(), model, config });
    expect(trace('bird').rewards).toEqual({ style: null });
    expect(trace('bird').errors).toMatchObject([
      { type: 'scoring/judge_failed', message: 'judge style refused', phase: 'scoring' },
    ]);
    expect(result.exitCode).toBe(3);
  });
});

test('a reply that is no verdict is shown to the judge once, and both are paid for', async () => {
  await using model = await judgingModel(({ messages }) =>
    messages.length > 2 ? [verdict(1), counted] : [say('It is fine.'), counted],
  );
  const { trace } = await play({ taskset: writing(), model, config: prices });
  expect(trace('bird')).toMatchObject({ reward: 1, errors: [] });
  expect(trace('bird').extraUsage).toHaveLength(2);
  expect(judgeCalls(model)[1]?.call?.messages.slice(2)).toMatchObject([
    { role: 'assistant', content: 'It is fine.' },
    { role: 'user', content: expect.stringContaining('it holds no JSON object') as string },
  ]);
});

test.each([
  ['never gives one', () => say('It is fine.'), /gave no usable answer, asked twice: it holds no/],
  ['is off its scale', () => verdict(7), /asked twice: .*score/s],
  ['is cut off', () => [verdict(1), finish('length')], /cut off at its limit of tokens/],
  ['fails for good', () => fail(500, soon), /could not be asked: .*500/],
  ['is refused its key', () => fail(401), /could not be asked/],
])(
  'a judge that %s leaves the rollout unscored, and the agent’s work is not thrown away',
  async (_how, answer, message) => {
    await using model = await judgingModel(answer);
    const { trace, result } = await play({ taskset: writing(), model, config: prices });
    expect(trace('bird').rewards).toEqual({ style: null });
    expect(trace('bird').reward).toBeNull();
    expect(trace('bird').errors).toMatchObject([{ type: 'scoring/judge_failed' }]);
    expect(trace('bird').errors[0]?.message).toMatch(message);
    expect(model.turns.length - judgeCalls(model).length).toBe(1);
    expect(result.summary.errors).toEqual({ 'scoring/judge_failed': 1 });
  },
);

test('what was asked is not asked again: by no other rollout, and not when it is scored again', async () => {
  await using model = await judgingModel(() => [verdict(0.5), counted]);
  const options = {
    taskset: writing({ votes: 3 }),
    model,
    config: { rollouts_per_example: 8, ...prices },
  };
  const first = await play(options);
  expect(judgeCalls(model)).toHaveLength(3);
  const paid = first.episodes.map(({ traces }) => traces[0]?.extraUsage.length ?? 0);
  expect(paid.filter((calls) => calls > 0)).toEqual([3]);
  const before = model.turns.length;
  // Without the key that the provider wants: nobody is asked.
  const keyless = { ...options.config, 'client.api_key_var': 'NOT_SET' };
  const again = await rescore({ ...options, config: keyless }, first.dir);
  expect(again.result).toMatchObject({ exitCode: 0, status: 'complete' });
  expect(again.episodes.map(({ traces }) => traces[0]?.reward)).toEqual(Array(8).fill(0.5));
  expect(again.result.summary.cost).toBeCloseTo(first.result.summary.cost ?? NaN);
  const third = await rescore({ ...options, config: keyless }, again.dir);
  expect(third.result.exitCode).toBe(0);
  expect(model.turns).toHaveLength(before);
});

test('only what a broken judge left open is asked when it is scored again', async () => {
  let isMended = false;
  let calls = 0;
  await using model = await judgingModel(() =>
    isMended || ++calls % 2 === 1 ? verdict(1) : say('no idea'),
  );
  const options = { taskset: writing({ votes: 3 }), model };
  const first = await play(options);
  expect(first.trace('bird').errors).toMatchObject([{ type: 'scoring/judge_failed' }]);
  const kept = (await readFile(join(first.dir, 'answers.jsonl'), 'utf8')).trim().split('\n');
  isMended = true;
  const before = judgeCalls(model).length;
  const again = await rescore(options, first.dir);
  expect(again.trace('bird')).toMatchObject({ reward: 1, errors: [] });
  expect(judgeCalls(model).length - before).toBe(3 - kept.length);
});

test('another rubric is another question', async () => {
  await using model = await judgingModel(({ messages }) =>
    verdict(JSON.stringify(messages).includes('Is it short?') ? 0 : 1),
  );
  const first = await play({ taskset: writing(), model });
  expect(first.trace('bird').reward).toBe(1);
  const config = { 'judges.style.prompt': 'Is it short?' };
  const again = await rescore({ taskset: writing(), model, config }, first.dir);
  expect(again.trace('bird').reward).toBe(0);
});

test('the config gives a judge another model at another provider, whose key stays secret', async () => {
  const secret = 'key-of-the-judge-provider';
  await using other = await judgingModel(() => [
    verdict(0.75),
    identity({ model: `judge-model-2 ${secret}` }),
  ]);
  await using model = await judgingModel(() => fail(500));
  const { trace, dir } = await play({
    taskset: writing(),
    model,
    env: { JUDGE_KEY: secret },
    config: {
      'judges.style.model': 'judge-model-2',
      'judges.style.client.base_url': `${other.url}/v1`,
      'judges.style.client.api_key_var': 'JUDGE_KEY',
    },
  });
  expect(trace('bird').reward).toBe(0.75);
  expect(judgeCalls(model)).toEqual([]);
  expect(judgeCalls(other)[0]?.headers['authorization']).toBe(`Bearer ${secret}`);
  expect(judgeCalls(other)[0]?.call?.model).toBe('judge-model-2');
  for (const file of ['traces.jsonl', 'answers.jsonl', 'plan.json', 'config.toml'])
    expect(await readFile(join(dir, file), 'utf8')).not.toContain(secret);
});

test('a judge of the taskset’s own provider, and one that a hook asks by itself', async () => {
  await using model = await judgingModel(() => verdict(0.5));
  const own = judge({
    name: 'own',
    model: 'judge-model',
    rubric: 'Right?',
    client: { baseUrl: model.url, dialects: ['messages'] },
    show: ({ trace }) => ({ reply: trace.lastReply }),
  });
  const taskset = defineTaskset({
    load: () => [{ key: 'bird', prompt: 'Write a line about a bird.' }],
    judges: [own],
    rewards: { twice: async (ctx) => (await own.verdict(ctx)).score * 2 },
    metrics: { own },
  });
  const { trace } = await play({ taskset, model, config: { 'client.dialects': ['responses'] } });
  expect(trace('bird').rewards).toEqual({ twice: { score: 1, weight: 1 } });
  expect(trace('bird').metrics).toMatchObject({ own: 0.5 });
  expect(judgeCalls(model).map(({ call }) => call?.dialect)).toEqual(['messages']);
});

test('a judge that the taskset does not tell of cannot be asked', async () => {
  await using model = await judgingModel(() => verdict(1));
  const hidden = judge({ name: 'hidden', model: 'judge-model', rubric: 'Right?' });
  const taskset = defineTaskset({
    load: () => [{ key: 'bird', prompt: 'Write a line about a bird.' }],
    rewards: { hidden: (ctx) => hidden(ctx) },
  });
  const { trace } = await play({ taskset, model });
  expect(trace('bird').errors).toMatchObject([
    { type: 'scoring/judge_failed', message: 'judge hidden is unknown to the run' },
  ]);
});

test.each([
  [{ 'judges.stile.model': 'x' }, { path: 'judges.stile', nearest: 'style' }],
  [{ 'judges.style.prompt': ' ' }, { path: 'judges.style.prompt', message: 'it is empty' }],
])('%j is refused before the run', async (config, problem) => {
  await using model = await judgingModel(() => verdict(1));
  await expect(play({ taskset: writing(), model, config })).rejects.toMatchObject({
    code: 'config/invalid',
    problems: [problem],
  });
});

test('a judge without a model is refused before the run, and so is one name for two', async () => {
  await using model = await judgingModel(() => verdict(1));
  const nameless = judge({ name: 'style', rubric: 'Is it plain?' });
  const twice = defineTaskset({
    load: () => [{ prompt: 'x' }],
    rewards: { a: nameless, b: judge({ name: 'style', model: 'm', rubric: 'Other?' }) },
  });
  await expect(play({ taskset: twice, model })).rejects.toMatchObject({
    problems: [
      { path: 'judges.style', message: expect.stringContaining('have this name') as string },
      { path: 'judges.style.model', fix: '--judges.style.model MODEL' },
    ],
  });
});

test('a judge that nobody uses is not planned', async () => {
  await using model = await judgingModel(() => verdict(1));
  const { result } = await play({
    taskset: defineTaskset({
      load: () => [{ prompt: 'x' }],
      rewards: { style: judge({ name: 'style', rubric: 'Is it plain?' }), all: () => 1 },
    }),
    model,
    config: { 'rewards.style.enabled': false },
  });
  expect(result.exitCode).toBe(0);
});

test('a judge that never answers ends with the stage’s time limit', async () => {
  await using model = await judgingModel(() => hang());
  const config = { 'timeout.scoring': 0.2 };
  const { trace } = await play({ taskset: writing(), model, config });
  expect(trace('bird').errors).toMatchObject([{ type: 'scoring/timeout' }]);
  expect(trace('bird').rewards).toEqual({ style: null });
});

test('a run that is cancelled does not wait for a judge', async () => {
  await using model = await judgingModel(() => hang());
  const interrupt = new AbortController();
  void model.received(2).then(() => interrupt.abort());
  const { result, episodes } = await play({
    taskset: writing(),
    model,
    interrupt: interrupt.signal,
  });
  expect(result.status).toBe('interrupted');
  expect(episodes).toEqual([]);
});

test('what judges take counts for the budget', async () => {
  await using model = await judgingModel(
    () => [verdict(1), usage({ inputTokens: 1_000, outputTokens: 0 })],
    () => [say('A heron.'), usage({ inputTokens: 1, outputTokens: 0 })],
  );
  const taskset = defineTaskset({
    load: () => Array.from({ length: 10 }, (_, i) => ({ key: `k${i}`, prompt: `Line ${i}.` })),
    rewards: { style: judge({ name: 'style', model: 'judge-model', rubric: 'Plain?' }) },
  });
  const config = { ...prices, 'budget.cost': 3, max_concurrent: 1 };
  const { result } = await play({ taskset, model, config });
  expect(result).toMatchObject({ status: 'stopped', exitCode: 4 });
  expect(judgeCalls(model)).toHaveLength(3);
  expect(model.turns.filter(({ call }) => call !== null && !isJudge(call))).toHaveLength(3);
});
