import { expect, test } from 'vitest';
import { evidenceOf } from './evidence.ts';

const lines = (...events: readonly object[]): { stdout: string } => ({
  stdout: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
});
const step = { type: 'step_start', sessionID: 'ses_1', part: { type: 'step-start' } };

test('a good turn names its session', () => {
  expect(evidenceOf(lines(step))).toEqual({ session: 'ses_1', failure: null });
  expect(evidenceOf({ stdout: 'no json' })).toEqual({ session: null, failure: null });
});

test('an error says why', () => {
  const error = { name: 'APIError', data: { message: 'the rollout is over', statusCode: 400 } };
  const failed = { type: 'error', sessionID: 'ses_1', error };
  expect(evidenceOf(lines(step, failed))).toEqual({
    session: 'ses_1',
    failure: 'the rollout is over',
  });
  expect(evidenceOf(lines({ type: 'error', error: { name: 'Unknown' } })).failure).toBe('Unknown');
  expect(evidenceOf(lines({ type: 'error' })).failure).toBe('error');
});
