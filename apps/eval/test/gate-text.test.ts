import { expect, test } from 'vitest';
import { gateText } from '../src/compare/gate-text.ts';

const gate = { maxDrop: 0.1, strict: false, passed: false };

test('a drop points at the tasks that changed, as the runs are typed', () => {
  const dropped = { ...gate, drop: 0.5, interval: [0.25, 0.75] as const };
  expect(gateText(dropped, ['./base', 'head'])).toMatch(
    /beyond --max-drop 0\.1\n {2}fix: vf compare \.\/base head --flips lists/,
  );
});

test('without a task that has a score in both runs it points at what has none', () => {
  expect(gateText({ ...gate, drop: null, interval: null }, ['./base', 'head'])).toBe(
    'vf: no task has a score in both runs, so nothing is shown about a drop\n' +
      '  fix: vf show ./base --errors and vf show head --errors list what has no score',
  );
});
