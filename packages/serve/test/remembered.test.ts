import { expect, test } from 'vitest';
import { Remembered } from '../src/request/remembered.ts';

test('the same bytes are read once, other ones anew', () => {
  const remembered = new Remembered<object>();
  let made = 0;
  const make = (bytes: Uint8Array) => ({ made: ++made, bytes: [...bytes] });
  const first = remembered.of(Uint8Array.of(1, 200), make);
  expect(remembered.of(Uint8Array.of(1, 200), make)).toBe(first);
  expect(remembered.of(Uint8Array.of(1, 201), make)).toEqual({ made: 2, bytes: [1, 201] });
});

test('what cannot be made is tried again', () => {
  const remembered = new Remembered<string>();
  const fails = () => {
    throw new Error('no');
  };
  expect(() => remembered.of(Uint8Array.of(1), fails)).toThrow('no');
  expect(remembered.of(Uint8Array.of(1), () => 'yes')).toBe('yes');
});

test('the oldest are forgotten when there are many', () => {
  const remembered = new Remembered<number>();
  let made = 0;
  const ask = (byte: number) => remembered.of(new Uint8Array(5 * 2 ** 20).fill(byte), () => ++made);
  for (const byte of [1, 2, 3, 4]) ask(byte);
  expect(ask(4)).toBe(4);
  expect(ask(1)).toBe(5);
});
