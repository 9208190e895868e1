import { expect, test } from 'vitest';
import { failureOf } from './evidence.ts';

const lines = (...events: readonly object[]): { stdout: string } => ({
  stdout: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
});
const ended = (message: object): object => ({ type: 'message_end', message });
const good = ended({ role: 'assistant', stopReason: 'stop' });
const bad = ended({ role: 'assistant', stopReason: 'error', errorMessage: '400 it is over' });

test('the last assistant message is the truth', () => {
  expect(failureOf(lines(bad, good))).toBeNull();
  expect(failureOf(lines(good, bad, ended({ role: 'user' })))).toBe('400 it is over');
  expect(failureOf(lines(ended({ role: 'assistant', stopReason: 'error' })))).toContain('error');
});

test('no message at all is for the exit code to explain', () => {
  expect(failureOf({ stdout: 'no json' })).toBeNull();
});
