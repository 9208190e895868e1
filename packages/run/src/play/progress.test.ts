import { makeTrace } from '@vf/testkit';
import { expect, test } from 'vitest';
import { UnderwayBoard } from './progress.ts';

test('calls that wait are counted from the longest on, while their agents are at work', () => {
  const board = new UnderwayBoard();
  const first = makeTrace({ id: '1' });
  const second = makeTrace({ id: '2' });
  const third = makeTrace({ id: '3' });
  expect(board.waiting()).toEqual({ calls: 0, since: null });
  for (const trace of [first, second, third]) board.enter(trace, 'a:1', 'agent', 1_000);
  board.asked(second, 3_000);
  board.asked(first, 2_000);
  expect(board.waiting()).toEqual({ calls: 2, since: 2_000 });
  board.enter(first, 'a:1', 'scoring', 4_000);
  expect(board.waiting()).toEqual({ calls: 1, since: 3_000 });
  board.leave(second);
  expect(board.waiting()).toEqual({ calls: 0, since: null });
});
