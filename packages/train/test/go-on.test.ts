import { expect, test } from 'vitest';
import { goingOn } from '../src/engine/go-on.ts';
import { requestOf, scripted } from './scripted.ts';

const { signal } = new AbortController();
const weights = (version: string, end: number) => [{ version, start: 0, end }];
const mask = (...ids: number[]) => ({
  ids: Int32Array.from(ids),
  counts: Int32Array.from(ids, () => 1),
});

test('it goes on from what was sampled [train/go-on]', async () => {
  const { engine, asked } = scripted(
    { ids: [5, 6], finish: 'abort', weights: weights('a', 2), samplingMask: mask(5, 6), cached: 1 },
    { ids: [7, 9], weights: weights('b', 2), samplingMask: mask(7, 9), cached: 4 },
  );
  const heard: number[] = [];
  const onIds = (ids: ArrayLike<number>) => heard.push(...Array.from(ids));
  const sample = await goingOn(engine).sample(requestOf('r'), signal, onIds);
  expect(sample).toMatchObject({
    ids: [5, 6, 7, 9],
    logprobs: [-0.5, -0.5, -0.5, -0.5],
    finish: 'stop',
    cached: 1,
    weights: [
      { version: 'a', start: 0, end: 2 },
      { version: 'b', start: 2, end: 4 },
    ],
    samplingMask: { ids: Int32Array.of(5, 6, 7, 9) },
  });
  expect(heard).toEqual([5, 6, 7, 9]);
  expect(asked[1]).toMatchObject({ promptIds: Int32Array.of(1, 2, 5, 6), room: 8 });
});

test('what comes after its first part has a seed of its own, the same each time [train/go-on]', async () => {
  const seeds = async (seed?: number) => {
    const { engine, asked } = scripted(
      { finish: 'abort' },
      { ids: [5], finish: 'abort' },
      { ids: [6], finish: 'abort' },
      { ids: [9] },
    );
    const request = requestOf('r');
    const settings = { ...request.settings, ...(seed === undefined ? {} : { seed }) };
    await goingOn(engine).sample({ ...request, settings }, signal);
    return asked.map((call) => call.settings.seed);
  };
  const [first, again, second, third] = await seeds(7);
  expect([first, again]).toEqual([7, 7]);
  expect(new Set([first, second, third]).size).toBe(3);
  for (const seed of [second, third]) expect(seed).toSatisfy(isSeed);
  expect(await seeds(7)).toEqual([first, again, second, third]);
  expect(await seeds()).toEqual([undefined, undefined, undefined, undefined]);
});

/** What every engine takes: 31 bits. */
function isSeed(seed: unknown): boolean {
  return Number.isInteger(seed) && Number(seed) >= 0 && Number(seed) < 2 ** 31;
}

test('parts of any length are joined [train/go-on]', async () => {
  const many = Int32Array.from({ length: 200_000 }, (_, at) => at);
  const { engine, asked } = scripted(
    { ids: many, finish: 'abort', samplingMask: { ids: many, counts: many } },
    { ids: many, samplingMask: { ids: many, counts: many } },
  );
  const sample = await goingOn(engine).sample({ ...requestOf('r', null), stopIds: [] }, signal);
  expect(sample.ids).toHaveLength(400_000);
  expect(asked[1]?.promptIds).toHaveLength(200_002);
  const { ids, counts } = sample.samplingMask ?? {};
  expect([ids?.length, ids?.at(200_000), ids?.at(-1)]).toEqual([400_000, 0, 199_999]);
  expect(counts).toHaveLength(400_000);
});

test.each([
  [1, [{ ids: [5, 100], finish: 'abort' }]],
  [
    2,
    [
      { ids: [5], finish: 'abort' },
      { ids: [-1], finish: 'abort' },
    ],
  ],
] as const)(
  'ids that the vocabulary has not are no prompt: not asked after call %d [train/go-on]',
  async (count, answers) => {
    const { engine, asked } = scripted(...answers, { ids: [9] });
    const request = { ...requestOf('r'), vocabulary: 100 };
    await expect(goingOn(engine).sample(request, signal)).rejects.toThrow(/does not have/);
    expect(asked).toHaveLength(count);
  },
);

test('a call that has had its room ends by length [train/go-on]', async () => {
  const { engine, asked } = scripted({ ids: [5, 6], finish: 'abort' });
  const sample = await goingOn(engine).sample(requestOf('r', 4), signal);
  expect(sample).toMatchObject({ ids: [5, 6, 5, 6], finish: 'length' });
  expect(asked).toHaveLength(2);
});

test('one that never gets further fails by name [train/go-on]', async () => {
  const { engine, asked } = scripted({ finish: 'abort', rawFinish: 'shutdown' });
  await expect(goingOn(engine).sample(requestOf('r', null), signal)).rejects.toThrow(/shutdown/);
  expect(asked).toHaveLength(4);
});

test('weights that are not told of every part are not told [train/go-on]', async () => {
  const { engine } = scripted(
    { ids: [5], finish: 'abort' },
    { ids: [9], weights: weights('b', 1) },
  );
  expect((await goingOn(engine).sample(requestOf('r'), signal)).weights).toBeUndefined();
});

test('a call that is given up behind its end token is whole [train/go-on]', async () => {
  const { engine, asked } = scripted({ ids: [5, 9], finish: 'abort' }, { ids: [7] });
  const sample = await goingOn(engine).sample(requestOf('r'), signal);
  expect(sample).toMatchObject({ ids: [5, 9] });
  expect(asked).toHaveLength(1);
});

test('one that ends on the last time that it is asked has ended [train/go-on]', async () => {
  const aborted = { finish: 'abort' } as const;
  const { engine } = scripted(aborted, aborted, aborted, { finish: 'length' });
  const sample = await goingOn(engine).sample(requestOf('r'), signal);
  expect(sample).toMatchObject({ ids: [], finish: 'length' });
});
