import { expect, test } from 'vitest';
import { evidenceOf } from './evidence.ts';

const lines = (...events: readonly object[]): { stdout: string } => ({
  stdout: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
});
const init = { type: 'system', subtype: 'init', session_id: 's1' };

test('a good result names its session', () => {
  const result = {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'Done.',
    session_id: 's1',
  };
  expect(evidenceOf(lines(init, result))).toEqual({ session: 's1', failure: null });
});

test('a result may be an error though it says success', () => {
  const result = { type: 'result', subtype: 'success', is_error: true, result: 'API Error: 400' };
  expect(evidenceOf(lines(init, result))).toEqual({ session: 's1', failure: 'API Error: 400' });
  const bare = { type: 'result', subtype: 'error_max_turns', is_error: true };
  expect(evidenceOf(lines(bare)).failure).toBe('error_max_turns');
});

test('no result at all is for the exit code to explain', () => {
  expect(evidenceOf({ stdout: 'no json' })).toEqual({ session: null, failure: null });
});
