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
