import { defineTaskset, z } from '@vf/core';
import type { Taskset } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { assert, asyncProperty, dictionary, integer, string } from 'fast-check';
import { expect, test } from 'vitest';
import { loadTasks } from '../src/index.ts';

const all = { include: [], exclude: [], limit: null, skip: 0, shuffle: false, seed: 0 };
const { signal } = new AbortController();

function load({ spec }: Taskset, options: Partial<Parameters<typeof loadTasks>[1]> = {}) {
  return loadTasks({ name: 'test', spec, config: {} }, { ...all, ...options }, signal);
}

async function refusal(work: Promise<unknown>): Promise<VfError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!VfError.isInstance(error)) throw new Error('expected a VfError', { cause: error });
  return error;
}

const numbered = (count: number) =>
  defineTaskset({
    load: () => Array.from({ length: count }, (_, i) => ({ key: `t/${i}`, prompt: `say ${i}` })),
  });

test('hooks see the schema’s output, traces the row as it was given', async () => {
  const taskset = defineTaskset({
    data: z.object({ when: z.coerce.date(), n: z.number().default(3) }),
    load: () => [{ prompt: 'p', when: '2026-11-30' }],
  });
  const [task] = await load(taskset);
  expect(task?.row).toEqual({ prompt: 'p', when: '2026-11-30' });
  expect(task?.task).toMatchObject({
    when: new Date('2026-11-30'),
    n: 3,
    prompt: 'p',
    key: task?.key,
  });
});

test.each([
  ['a list', () => [{ prompt: 'a' }]],
  [
    'a generator',
    function* () {
      yield { prompt: 'a' };
    },
  ],
  [
    'an async generator',
    async function* () {
      yield { prompt: 'a' };
    },
  ],
  ['a promise', async () => [{ prompt: 'a' }]],
] as const)('%s of rows', async (_what, rows) => {
  expect(await load(defineTaskset({ load: rows }))).toHaveLength(1);
});

test('bad rows are told by row and path, all at once', async () => {
  const rows: unknown[] = [
    { n: 1 },
    { n: 'x' },
    { n: 2, promt: 'p' },
    7,
    { n: 3, timeouts: { agent: -1 } },
  ];
  const taskset = defineTaskset({
    data: z.object({ n: z.number() }),
    load: () => rows as { n: number }[],
  });
  const error = await refusal(load(taskset));
  expect(error).toMatchObject({
    code: 'taskset/invalid_row',
    message: '4 problems in the rows of taskset test',
  });
  expect(error.problems).toMatchObject([
    { path: 'row 1.n', message: expect.stringContaining('expected number') },
    { path: 'row 2.promt', message: 'unknown field', nearest: 'prompt' },
    { path: 'row 3', message: 'expected an object, got 7' },
    { path: 'row 4.timeouts.agent' },
  ]);
});

test('an own field that the record has for a standard one is refused', async () => {
  const rows = [{ system_prompt: 'x', timeout: 3 }];
  const error = await refusal(load(defineTaskset({ data: z.looseObject({}), load: () => rows })));
  expect(error.problems).toMatchObject([
    { path: 'row 0.system_prompt', nearest: 'systemPrompt' },
    { path: 'row 0.timeout', nearest: 'timeouts' },
  ]);
});

test('a loose schema takes any field', async () => {
  expect(
    await load(
      defineTaskset({ data: z.looseObject({}), load: () => [{ prompt: 'p', anything: 1 }] }),
    ),
  ).toHaveLength(1);
});

test('two rows with one key are refused, as are two equal rows without one', async () => {
  const error = await refusal(
    load(defineTaskset({ load: () => [{ key: 'a' }, { key: 'b' }, { key: 'a' }] })),
  );
  expect(error).toMatchObject({
    code: 'taskset/duplicate_key',
    message: 'rows 0 and 2 have the same key "a"',
  });
  expect(
    (await refusal(load(defineTaskset({ load: () => [{ prompt: 'p' }, { prompt: 'p' }] })))).code,
  ).toBe('taskset/duplicate_key');
});

test('what load throws is an error of the taskset', async () => {
  const taskset = defineTaskset({
    load: () => {
      throw new Error('no such file');
    },
  });
  expect(await refusal(load(taskset))).toMatchObject({
    code: 'taskset/load_failed',
    message: 'taskset test could not load its rows: no such file',
  });
});

test('an endless taskset is read no further than asked', async () => {
  let made = 0;
  const taskset = defineTaskset({
    infinite: true,
    *load() {
      for (;;) yield { prompt: String(made++) };
    },
  });
  expect(await load(taskset, { limit: 3, skip: 2 })).toHaveLength(3);
  expect(made).toBe(5);
});

test.each([
  [{ include: ['t/1*'] }, ['t/1', 't/10', 't/11']],
  [{ exclude: ['t/?'] }, ['t/10', 't/11']],
  [{ include: ['t/*'], exclude: ['t/*1'], limit: 2, skip: 1 }, ['t/2', 't/3']],
  [{ include: ['t/3'] }, ['t/3']],
])('selects by glob: %o', async (options, keys) => {
  expect((await load(numbered(12), options)).map(({ key }) => key)).toEqual(keys);
});

test('tasks of a stored run are found by their keys, whatever was skipped or shuffled then', async () => {
  const keys = new Set(['t/8', 't/2', 't/5']);
  const found = async (options: Parameters<typeof load>[1]) =>
    (await load(numbered(10), { keys, ...options })).map(({ key }) => key);
  expect(await found({ limit: 3, skip: 4, shuffle: true, seed: 7 })).toEqual(['t/2', 't/5', 't/8']);
  expect(await found({ limit: 2 })).toEqual(['t/2', 't/5']);
  expect(await found({ include: ['t/8', 't/9'] })).toEqual(['t/8']);
});

test('a key that an endless taskset no longer has does not make it read for ever', async () => {
  let read = 0;
  const endless = defineTaskset({
    infinite: true,
    *load() {
      for (;;) yield { key: `t/${read}`, prompt: `say ${read++}` };
    },
  });
  const tasks = await load(endless, { keys: new Set(['t/1', 'gone', 't/3']), limit: 3, skip: 1 });
  expect(tasks.map(({ key }) => key)).toEqual(['t/1', 't/3']);
  expect(read).toBeLessThan(10);
});

test('a name with glob characters selects itself', async () => {
  expect(
    await load(defineTaskset({ load: () => [{ key: 'a[1]' }, { key: 'a1' }] }), {
      include: ['a[1]'],
    }),
  ).toMatchObject([{ key: 'a[1]' }, { key: 'a1' }]);
});

test('a shuffle depends on its seed alone and loses nothing', async () => {
  const keys = async (seed: number) =>
    (await load(numbered(20), { shuffle: true, seed })).map(({ key }) => key);
  expect(await keys(1)).toEqual(await keys(1));
  expect(await keys(1)).not.toEqual(await keys(2));
  expect((await keys(3)).toSorted()).toEqual(
    (await load(numbered(20))).map(({ key }) => key).toSorted(),
  );
});

test('keys without a name are the row’s hash, whatever the order of its fields, and secrets do not count', async () => {
  const keyOf = async (row: object) =>
    (await load(defineTaskset({ data: z.looseObject({}), load: () => [row] })))[0]?.key;
  await assert(
    asyncProperty(
      dictionary(
        string().filter(
          (name) =>
            ![
              'key',
              '__proto__',
              'prompt',
              'name',
              'env',
              'systemPrompt',
              'image',
              'workdir',
              'resources',
              'timeouts',
              'network',
              'artifacts',
            ].includes(name),
        ),
        integer(),
      ),
      async (row) => {
        const reversed = Object.fromEntries(Object.entries(row).toReversed());
        expect(await keyOf(row)).toBe(await keyOf(reversed));
      },
    ),
    { numRuns: 30 },
  );
  expect(await keyOf({ env: { A: 'one' } })).toBe(await keyOf({ env: { A: 'two' } }));
  expect(await keyOf({ env: { A: 'one' } })).not.toBe(await keyOf({ env: { B: 'one' } }));
});

const itself: Record<string, unknown> = {};
itself['deep'] = { itself };
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

test.each([
  ['a BigInt', { a: { b: 10n } }, 'row 0.a.b'],
  ['what is no number', { n: Number.NaN }, 'row 0.n'],
  ['an endless number', { list: [1, Infinity] }, 'row 0.list.1'],
  ['itself', itself, 'row 0.deep.itself'],
  ['what is too deep', { a: nested(5_000) }, 'row 0.a'],
  [
    'what cannot be read',
    {
      get a() {
        throw new Error('gone');
      },
    },
    'row 0',
  ],
])('a row with %s is refused with its place', async (_what, row, path) => {
  const taskset = defineTaskset({
    data: z.looseObject({}),
    load: () => [Object.defineProperty(row, 'prompt', { value: 'p', enumerable: true })],
  });
  const error = await refusal(load(taskset));
  expect(error.code).toBe('taskset/invalid_row');
  expect(error.problems).toHaveLength(1);
  expect(error.problems[0]?.path).toContain(path);
});

test('a row that holds the same thing twice, a date and bytes is a row', async () => {
  const same = { a: 1 };
  const row = { prompt: 'p', x: same, y: [same, same], when: new Date(0), bytes: Buffer.from('b') };
  const taskset = defineTaskset({ data: z.looseObject({}), load: () => [row] });
  expect(await load(taskset)).toHaveLength(1);
});
