import { decode } from '@msgpack/msgpack';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pack, Packed } from '@vf/wire';
import { pythonFloat, pythonHash } from '../src/wire/python-json.ts';
import { NotMsgpack, endOf, fieldsOf } from '../src/wire/scan.ts';

const defaults = {
  artifact_max_bytes: 33554432,
  artifacts: [],
  network_allow: ['*'],
  network_block: [],
  resources: {},
  skills: [],
  timeout: { setup: null },
};

/** A float that msgpack would write as an integer. */
function float(value: number): Packed {
  const bytes = Buffer.alloc(9, 0xcb);
  bytes.writeDoubleBE(value, 1);
  return new Packed(bytes);
}

function list(...items: Packed[]): Packed {
  return new Packed(
    Buffer.concat([Uint8Array.of(0x90 | items.length), ...items.map(({ bytes }) => bytes)]),
  );
}

describe('[serve/hash] the hash of a task is that of verifiers 0.4.0', () => {
  test.each([
    [{}, '951b8110f0a68fa028e80c13317bf922d288a257cfa23de3bca22af0ca1ac209'],
    [{ idx: 0, prompt: 'hi' }, 'd7f360caa6590c578f1b2c6ed5d36ad49b37c31e39887b4b8d83574c443fd366'],
    [
      {
        idx: 0,
        prompt: 'é',
        answer: float(1),
        extra: null,
        tags: list(float(1e-7), new Packed(pack(true))),
      },
      '53886e75ac233f51e487250df0b380119d526f87c22bf17e81bd6ac7ecd55c94',
    ],
  ])('%j', (data, hash) => {
    expect(pythonHash(pack({ ...defaults, ...data }))).toBe(hash);
  });
});

// As Python prints them.
test.each([
  [1, '1.0'],
  [-0, '-0.0'],
  [0.1, '0.1'],
  [1e-4, '0.0001'],
  [1.5e-5, '1.5e-05'],
  [1e15, '1000000000000000.0'],
  [1e16, '1e+16'],
  [1.25e22, '1.25e+22'],
  [123456.789, '123456.789'],
  [0.00012345, '0.00012345'],
  [NaN, 'NaN'],
  [-Infinity, '-Infinity'],
])('the float %d is %s', (value, text) => {
  expect(pythonFloat(value)).toBe(text);
});

describe('walking over msgpack', () => {
  test('ends where the value ends, whatever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const bytes = pack(value);
        expect(endOf(bytes, 0)).toBe(bytes.length);
      }),
    );
  });

  test('finds a field as it was packed', () => {
    // The decoder refuses this one name, which could set a prototype.
    const isName = (name: string): boolean => name !== '__proto__';
    const value = fc.jsonValue().filter((json) => !JSON.stringify(json).includes('__proto__'));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string().filter(isName), value, { noNullPrototype: true }),
        value,
        (others, wanted) => {
          const { field: _other, ...rest } = others;
          const bytes = pack({ ...rest, field: wanted });
          expect(Buffer.from(fieldsOf(bytes)?.get('field') ?? [])).toEqual(pack(wanted));
          expect(decode(bytes)).toEqual(decode(pack({ ...rest, field: wanted })));
        },
      ),
    );
  });

  test('refuses other bytes, and never reads on for ever', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(outcome(() => pythonHash(bytes))).toMatch(/^[0-9a-f]{64}$|^NotMsgpack$/);
      }),
    );
  });
});

/** What `work` gives, or the name of what it throws. */
function outcome(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return error instanceof NotMsgpack ? 'NotMsgpack' : String(error);
  }
}
