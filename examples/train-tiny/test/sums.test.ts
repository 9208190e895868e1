import { expect, test } from 'vitest';
import sums from '../sums.ts';

const { load, config, rewards } = sums.spec;
const signal = new AbortController().signal;

async function keysOf(options: object): Promise<(string | undefined)[]> {
  const keys = [];
  for await (const row of await load({ config: config?.parse(options), signal }))
    keys.push(row.key);
  return keys;
}

const sumOf = (key: string | undefined): string | undefined => key?.split(' ').at(-1);

test('what is held out is never practised', async () => {
  const heldOut = (await keysOf({ part: 'held-out', size: 100 })).map(sumOf);
  const practice = (await keysOf({ part: 'practice', size: 100 })).map(sumOf);
  expect([heldOut.length, practice.length]).toEqual([30, 70]);
  expect(new Set([...heldOut, ...practice]).size).toBe(100);
});

test('a seed gives the same sums again, another one others', async () => {
  const step = { part: 'practice', size: 8 };
  expect(await keysOf({ ...step, seed: 4 })).toEqual(await keysOf({ ...step, seed: 4 }));
  expect(await keysOf({ ...step, seed: 4 })).not.toEqual(await keysOf({ ...step, seed: 5 }));
});

test('workers share the sums of a step out among them', async () => {
  const step = { part: 'practice', size: 7, seed: 2, shards: 2 };
  const shares = [await keysOf({ ...step, shard: 0 }), await keysOf({ ...step, shard: 1 })];
  expect(shares.map(({ length }) => length)).toEqual([4, 3]);
  expect(new Set(shares.flat())).toEqual(new Set(await keysOf({ ...step, shards: 1 })));
});

test.each([
  ['7', 1],
  ['3 + 4 = 7', 1],
  ['3 + 4 = 8', 0],
  ['seven', 0],
  [null, 0],
])('the reply %j scores %d', async (lastReply, reward) => {
  const score = rewards?.['right'];
  if (typeof score !== 'function') throw new Error('right is not a function');
  const said: { task: object; trace: { lastReply: string | null } } = {
    task: { answer: 7 },
    trace: { lastReply },
  };
  expect(await score(said as Parameters<typeof score>[0])).toBe(reward);
});
