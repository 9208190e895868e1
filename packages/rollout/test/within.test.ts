import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { within } from '../src/within.ts';

/** A promise of another realm: awaited like one of ours, and no instance of it. */
const foreign = (): Promise<string> =>
  runInNewContext('new Promise(() => undefined)') as Promise<string>;

test.each([
  ['a promise', () => new Promise<string>(() => undefined)],
  ['what is awaited like one', foreign],
])('the signal ends the wait for %s', async (_what, work) => {
  const controller = new AbortController();
  const waiting = within(work(), controller.signal);
  const other = within(work(), controller.signal);
  controller.abort(new Error('over'));
  await expect(waiting).rejects.toThrow('over');
  await expect(other).rejects.toThrow('over');
});

test('a signal that has fired wins over what is there already', async () => {
  await expect(within('here', AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});

test.each([
  ['text', 'here'],
  ['null', null],
  ['an object', { a: 1 }],
])('%s is there at once', async (_what, value) => {
  expect(await within<unknown>(value, new AbortController().signal)).toBe(value);
});

test('who is done hears no more of the signal', async () => {
  const controller = new AbortController();
  expect(await within(Promise.resolve('done'), controller.signal)).toBe('done');
  await expect(within(Promise.reject(new Error('own')), controller.signal)).rejects.toThrow('own');
  controller.abort(new Error('over'));
});
