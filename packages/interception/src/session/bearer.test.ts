import { expect, test } from 'vitest';
import { bearerId, createBearer, isBearer } from './bearer.ts';

test('a bearer is found by its id and opens only itself', () => {
  const bearer = createBearer();
  expect(bearer.value).toMatch(/^vf-[0-9a-f]{16}-[0-9a-f]{48}$/);
  expect(bearerId(bearer.value)).toBe(bearer.id);
  expect(isBearer(bearer.value, bearer)).toBe(true);
});

test.each([
  ['its last character', (value: string) => `${value.slice(0, -1)}!`],
  ['its first character', (value: string) => `x${value.slice(1)}`],
  ['its length', (value: string) => `${value}0`],
  ['its case', (value: string) => value.toUpperCase()],
  ['a character that is equal in its low bits', (value: string) => `\u0176${value.slice(1)}`],
  ['everything', () => ''],
])('a secret that differs in %s opens nothing', (_what, change) => {
  const bearer = createBearer();
  expect(isBearer(change(bearer.value), bearer)).toBe(false);
});

test('two bearers differ', () => {
  expect(createBearer().value).not.toBe(createBearer().value);
});
