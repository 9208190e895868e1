import { expect, test } from 'vitest';
import { evidenceOf } from './evidence.ts';

const lines = (...events: readonly object[]): { stdout: string } => ({
  stdout: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
});
const started = { type: 'thread.started', thread_id: 't1' };
const warning = { type: 'item.completed', item: { type: 'error', message: 'no metadata' } };

test('a turn that was completed names its thread, whatever warnings came', () => {
  const evidence = evidenceOf(lines(started, warning, { type: 'turn.completed', usage: {} }));
  expect(evidence).toEqual({ session: 't1', failure: null });
});

test('a failed turn says why', () => {
  const failed = { type: 'turn.failed', error: { message: 'the rollout is over' } };
  expect(evidenceOf(lines(started, failed))).toEqual({
    session: 't1',
    failure: 'the rollout is over',
  });
  expect(evidenceOf(lines({ type: 'turn.failed' })).failure).toBe('turn.failed');
});

test('output that was cut in the middle or is no JSON is passed over', () => {
  const stdout = `${lines(started).stdout}{"type":"item.com\n[… 9 bytes left out …]\nd"}}\n\nnoise\n`;
  expect(evidenceOf({ stdout })).toEqual({ session: 't1', failure: null });
  expect(evidenceOf({ stdout: '' })).toEqual({ session: null, failure: null });
});
