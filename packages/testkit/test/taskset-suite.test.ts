import { defineTaskset, z } from '@vf/core';
import type { Taskset } from '@vf/core';
import { expect, test } from 'vitest';
import { loadRows, tasksetChecks } from '../src/conformance/taskset/checks.ts';

const rewards = { right: () => 1 };
const rows = [
  { key: 'a', answer: 1 },
  { key: 'b', answer: 2 },
];
const data = z.object({ answer: z.number() });

/** Names of the checks that a taskset fails. */
async function failures(taskset: Taskset): Promise<string[]> {
  const loaded = await loadRows(taskset, {});
  const failed: string[] = [];
  for (const { name, run } of tasksetChecks) {
    try {
      await run(loaded);
    } catch {
      failed.push(name);
    }
  }
  return failed;
}

test('a sound taskset passes', async () => {
  expect(await failures(defineTaskset({ data, load: () => rows, rewards }))).toEqual([]);
});

let loads = 0;
const flawed: Readonly<Record<string, readonly [Taskset, RegExp]>> = {
  'no rows': [defineTaskset({ data, load: () => [], rewards }), /^has rows/],
  'a row that is no JSON': [
    defineTaskset({ load: () => [{ name: 'a', at: new Date(0) }], rewards }),
    /^has rows, and each is an object of JSON/,
  ],
  'a row that its schema refuses': [
    defineTaskset({ data: z.object({ answer: z.number().max(1) }), load: () => rows, rewards }),
    /fit its own schema/,
  ],
  'two rows of one key': [
    defineTaskset({ data, load: () => [...rows, { key: 'a', answer: 3 }], rewards }),
    /names no two rows alike/,
  ],
  'the same row twice': [
    defineTaskset({ data, load: () => [{ answer: 1 }, { answer: 1 }], rewards }),
    /names no two rows alike/,
  ],
  'other rows each time': [
    defineTaskset({ data, load: () => [{ answer: loads++ }], rewards }),
    /gives the same rows/,
  ],
  'a tool as others write it': [
    Object.assign(defineTaskset({ data, load: () => rows, rewards }), {
      spec: { load: () => rows, rewards, tools: { look: { description: '', execute: () => '' } } },
    }),
    /only fields that vf knows/,
  ],
  'nothing to score': [defineTaskset({ data, load: () => rows }), /^scores/],
};

test.each(Object.entries(flawed))(
  'one with %s fails by that check alone',
  async (_what, [taskset, words]) => {
    const failed = await failures(taskset);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatch(words);
  },
);

test('options without a default must be given', async () => {
  const taskset = defineTaskset({
    config: z.object({ path: z.string() }),
    load: () => rows,
    rewards,
  });
  await expect(loadRows(taskset, {})).rejects.toThrow('path');
  expect((await loadRows(taskset, { config: { path: 'x' }, rows: 1 })).rows).toHaveLength(1);
});
