import { SendFailed } from '@vf/core/errors';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EngineFailed } from '../src/engine/engine-failed.ts';
import { replicas } from '../src/engine/replicas.ts';
import { requestOf, scripted } from './scripted.ts';

const { signal } = new AbortController();

test('a rollout stays where it is, others go round [train/replicas]', async () => {
  const [one, two] = [scripted({ ids: [9] }), scripted({ ids: [9] })];
  const engine = replicas([one.engine, two.engine]);
  for (const session of ['a', 'b', 'c', 'b', 'a', 'a']) {
    await engine.sample(requestOf(session), signal);
  }
  expect(one.asked.map(({ session }) => session)).toEqual(['a', 'c', 'a', 'a']);
  expect(two.asked.map(({ session }) => session)).toEqual(['b', 'b']);
});

test('from a server that is gone a rollout moves on with its next attempt [train/replicas]', async () => {
  const gone = scripted(new SendFailed('reset', 'gone'));
  const other = scripted({ ids: [9] });
  const engine = replicas([gone.engine, other.engine]);
  await expect(engine.sample(requestOf('a'), signal)).rejects.toThrow('gone');
  expect((await engine.sample(requestOf('a'), signal)).ids).toEqual([9]);
  expect((await engine.sample(requestOf('a'), signal)).ids).toEqual([9]);
  expect(gone.asked).toHaveLength(1);
});

test.each([
  ['provider', 500, true],
  ['overloaded', 503, true],
  ['cut', 502, true],
  ['rate_limit', 429, false],
  ['invalid', 400, false],
  ['no_sample', 400, false],
] as const)(
  'from one that answers with %s, %s, it moves on: %s; others do not pass it by [train/replicas]',
  async (code, status, moves) => {
    const failure = new EngineFailed({ status, code, message: 'no' });
    const broken = scripted(failure, { ids: [7] });
    const other = scripted({ ids: [9] });
    const engine = replicas([broken.engine, other.engine]);
    await expect(engine.sample(requestOf('a'), signal)).rejects.toBe(failure);
    expect((await engine.sample(requestOf('a'), signal)).ids).toEqual([moves ? 9 : 7]);
    for (const session of ['b', 'c']) await engine.sample(requestOf(session), signal);
    expect(broken.asked.at(-1)?.session).toBe('c');
  },
);

test('others pass a server by that did not answer, for a while [train/replicas]', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const gone = scripted(new SendFailed('reset', 'gone'), { ids: [9] });
  const others = [scripted({ ids: [9] }), scripted({ ids: [9] })] as const;
  const engine = replicas([gone.engine, others[0].engine, others[1].engine]);
  const asked = (): number[] => [gone, ...others].map((one) => one.asked.length);
  await expect(engine.sample(requestOf('a'), signal)).rejects.toThrow('gone');
  for (const session of ['b', 'c', 'd', 'e']) await engine.sample(requestOf(session), signal);
  expect(asked()).toEqual([1, 2, 2]);
  vi.advanceTimersByTime(30_000);
  for (const session of ['f', 'g', 'h']) await engine.sample(requestOf(session), signal);
  expect(asked()).toEqual([2, 3, 3]);
});

test('one that is alone is asked again at once [train/replicas]', async () => {
  const engine = replicas([scripted(new SendFailed('reset', 'gone'), { ids: [9] }).engine]);
  await expect(engine.sample(requestOf('a'), signal)).rejects.toThrow('gone');
  expect((await engine.sample(requestOf('b'), signal)).ids).toEqual([9]);
});

test('an abort does not move it [train/replicas]', async () => {
  const one = scripted(new SendFailed('aborted', 'enough'));
  const other = scripted({ ids: [9] });
  const engine = replicas([one.engine, other.engine]);
  await expect(engine.sample(requestOf('a'), signal)).rejects.toThrow('enough');
  await expect(engine.sample(requestOf('a'), signal)).rejects.toThrow('enough');
  expect(other.asked).toEqual([]);
});

test('the context is told by whoever answers [train/replicas]', async () => {
  const silent = scripted();
  silent.engine.contextLength = () => Promise.reject(new SendFailed('unreachable', 'down'));
  const both = replicas([silent.engine, scripted().engine]);
  expect(await both.contextLength('policy', signal)).toBe(100);
  const none = replicas([silent.engine, silent.engine]);
  await expect(none.contextLength('policy', signal)).rejects.toThrow('down');
});
