import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { keepWrittenNumbers, writtenNumber } from './written-numbers.ts';

function kept(text: string): Readonly<Record<string, unknown>> {
  const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
  keepWrittenNumbers(value, () => text);
  return value;
}

test('numbers that JavaScript holds as others keep their text', () => {
  const value = kept(
    '{"a": 1.0, "b": 1, "c": [2.50, 2e3, 9007199254740993], "d": {"__proto__": 3.0}}',
  );
  expect(value).toEqual(
    JSON.parse('{"a": 1, "b": 1, "c": [2.5, 2000, 9007199254740992], "d": {"__proto__": 3}}'),
  );
  expect(writtenNumber(value, 'a')).toBe('1.0');
  expect(writtenNumber(value, 'b')).toBeUndefined();
  const list = value['c'] as readonly unknown[];
  expect([0, 1, 2].map((at) => writtenNumber(list, at))).toEqual([
    '2.50',
    '2e3',
    '9007199254740993',
  ]);
  expect(writtenNumber(value['d'] as object, '__proto__')).toBe('3.0');
  expect(writtenNumber({ a: 1 }, 'a')).toBeUndefined();
});

test('of equal keys the last counts', () => {
  expect(writtenNumber(kept('{"a": 1.0, "a": 2}'), 'a')).toBeUndefined();
  expect(writtenNumber(kept('{"a": {"b": 1.0}, "a": 2.0}'), 'a')).toBe('2.0');
});

test('a value is looked at once, and text without such numbers is not parsed again', () => {
  const parse = vi.spyOn(JSON, 'parse');
  const value = { a: 1, b: '2.5', c: 0.25 };
  const textOf = vi.fn<() => string>(() => JSON.stringify(value));
  keepWrittenNumbers(value, textOf);
  keepWrittenNumbers(value, textOf);
  keepWrittenNumbers(7, textOf);
  keepWrittenNumbers(null, textOf);
  expect(textOf).toHaveBeenCalledOnce();
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test('any JSON is taken, however deep', () => {
  fc.assert(fc.property(fc.json(), (text) => keepWrittenNumbers(JSON.parse(text), () => text)));
  const deep = `${'['.repeat(4000)}1.0${']'.repeat(4000)}`;
  expect(() => kept(deep)).not.toThrow();
});
