import { decode, encode } from '@msgpack/msgpack';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pack } from '../src/pack/pack.ts';
import { Bits, Packed } from '../src/pack/packed.ts';

/** JSON has no −0, of which the library makes 0; its decoder refuses the one name that could set a prototype. */
const json = fc
  .jsonValue()
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
  .filter((value) => !JSON.stringify(value).includes('__proto__'));

describe('packing', () => {
  test('is what the library packs, byte for byte', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(Uint8Array.from(pack(value))).toEqual(encode(value));
      }),
    );
  });

  test.each([
    0,
    0x7f,
    0x80,
    0xff,
    0x100,
    0xffff,
    0x10000,
    0xffffffff,
    0x100000000,
    Number.MAX_SAFE_INTEGER,
    -1,
    -0x20,
    -0x21,
    -0x80,
    -0x81,
    -0x8000,
    -0x8001,
    -0x80000000,
    -0x80000001,
    Number.MIN_SAFE_INTEGER,
    1e300,
    0.1,
    -0,
  ])('the number %d', (number) => {
    expect(decode(pack(number))).toBe(number);
  });

  test.each([31, 32, 40, 41, 255, 256, 65_535, 65_536])('a text of %d characters', (length) => {
    for (const character of ['a', 'é', '😀']) {
      const text = character.repeat(length);
      expect(decode(pack(text))).toBe(text);
    }
  });

  test.each([15, 16, 65_535, 65_536])('a list and bytes of %d', (length) => {
    expect(decode(pack(Array.from({ length }, () => 1)))).toHaveLength(length);
    expect(decode(pack(new Uint8Array(length)))).toHaveLength(length);
  });

  test('arrays of numbers are lists, with every digit', () => {
    const values = Float32Array.of(-0.1, -1e-7, 0);
    expect(
      decode(pack({ a: values, b: Int32Array.of(1, 70_000), c: new Bits(Uint8Array.of(1, 0)) })),
    ).toEqual({
      a: [...values],
      b: [1, 70_000],
      c: [true, false],
    });
  });

  test('what is packed stays as it is; what is undefined is left out', () => {
    expect(decode(pack({ a: undefined, b: new Packed(pack([1])), c: [undefined] }))).toEqual({
      b: [1],
      c: [null],
    });
  });

  test('one value after another, a large one between them', () => {
    const large = { text: 'x'.repeat(3_000_000) };
    expect([pack(1), pack(large), pack('end')].map((bytes) => decode(bytes))).toEqual([
      1,
      large,
      'end',
    ]);
  });
});
