import { expect, test } from 'vitest';
import addition from '../addition.ts';

const { load, config, data, rewards } = addition.spec;
const signal = new AbortController().signal;

async function rowsWith(options: object) {
  const rows = [];
  for await (const row of await load({ config: config?.parse(options), signal })) rows.push(row);
  return rows;
}

test('rows are sums of a number with itself, as many as asked for', async () => {
  expect(await rowsWith({})).toHaveLength(100);
  const rows = await rowsWith({ count: 3 });
  expect(rows.at(-1)).toEqual({ prompt: 'What is 2 + 2?', answer: 4 });
  expect(rows.every((row) => data?.safeParse(row).success)).toBe(true);
});

test.each([0, -1, 1.5, 'many'])('count %j is refused', (count) => {
  expect(config?.safeParse({ count }).success).toBe(false);
});

test.each([
  ['4', 1],
  ['2 + 2 = 4.', 1],
  ['5', 0],
  ['4 or 5', 0],
  ['-4', 0],
  ['four', 0],
  ['', 0],
  [null, 0],
])('the reply %j scores %d', async (lastReply, reward) => {
  const score = rewards?.['exactMatch'];
  if (typeof score !== 'function') throw new Error('exactMatch is not a function');
  const said: { task: object; trace: { lastReply: string | null } } = {
    task: { answer: 4 },
    trace: { lastReply },
  };
  expect(await score(said as Parameters<typeof score>[0])).toBe(reward);
});
