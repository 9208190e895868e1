import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keptText, removeHard, sweepTeller, tellRemoval } from './box-removal.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([
  [0, null],
  [1, '1 box could not be removed: vf cleanup, or the next run, removes them'],
  [50, '50 boxes could not be removed: vf cleanup, or the next run, removes them'],
  [null, 'boxes may be left: vf cleanup, or the next run, removes them'],
])('a hard stop that leaves %s boxes says so', (left, told) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect(removeHard({ boxes: 130, cleanup: () => left })).toBe(told);
  expect(write).toHaveBeenCalledExactlyOnceWith('vf: removing 130 boxes …\n');
});

test.each([
  [0, null],
  [1, '1 box kept: vf show out/a TASK says how to get in; vf cleanup removes it'],
  [2, '2 boxes kept: vf show out/a TASK says how to get in; vf cleanup removes them'],
])('%s boxes that stay for a person are told at the end', (count, told) => {
  expect(keptText(count, { dir: './out/a', run: 'other' })).toBe(told);
});

test('after the first signal it is told how many boxes are still there, until none is', () => {
  const said: string[] = [];
  const abort = new AbortController();
  let boxes = 130;
  const end = tellRemoval(
    abort.signal,
    () => boxes,
    (text) => said.push(text),
  );
  vi.advanceTimersByTime(60_000);
  expect(said).toEqual([]);
  abort.abort();
  vi.advanceTimersByTime(2_000);
  boxes = 1;
  vi.advanceTimersByTime(5_000);
  boxes = 0;
  vi.advanceTimersByTime(5_000);
  expect(said).toEqual(['vf: removing 130 boxes …', 'vf: removing 1 box …']);
  end();
  boxes = 7;
  vi.advanceTimersByTime(60_000);
  expect(said).toHaveLength(2);
});

test('a sweep that takes long says what it removes, a short one and an empty one nothing', () => {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const short = sweepTeller(say);
  short.begun(5);
  short.end();
  const empty = sweepTeller(say);
  empty.begun(0);
  const long = sweepTeller(say);
  long.begun(130);
  vi.advanceTimersByTime(2_000);
  expect(said).toEqual([
    'removing 130 containers, networks and volumes that a killed run has left …',
  ]);
});
