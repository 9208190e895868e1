import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UnpackError, encodingsOf, unpack, unpackWhole } from './unpack.ts';

const packers: Record<string, (bytes: Uint8Array) => Buffer> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  deflate: deflateSync,
  identity: (bytes) => Buffer.from(bytes),
};
const limit = 1_000_000;

function halves(bytes: Buffer): Buffer[] {
  const middle = bytes.length >> 1;
  return [bytes.subarray(0, middle), bytes.subarray(middle)].filter((half) => half.length > 0);
}

test('any stack of encodings gives the bytes back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 3000 }),
      fc.array(fc.constantFrom(...Object.keys(packers)), { maxLength: 3 }),
      async (bytes, names) => {
        const packed = names.reduce<Buffer>(
          (body, name) => packers[name]?.(body) ?? body,
          Buffer.from(bytes),
        );
        const chunks = await unpackWhole(halves(packed), names.join(', '), { limit });
        expect(Buffer.concat(chunks)).toEqual(Buffer.from(bytes));
      },
    ),
    { numRuns: 60 },
  );
});

test('deflate without its wrapper', async () => {
  const chunks = await unpackWhole([deflateRawSync('hello')], 'deflate', { limit });
  expect(Buffer.concat(chunks).toString()).toBe('hello');
});

test('names are read in any case and spacing', () => {
  expect(encodingsOf(' GZip ,identity,, br')).toEqual(['gzip', 'br']);
  expect(encodingsOf(undefined)).toEqual([]);
});

describe('fails with a reason', () => {
  const reasonOf = async (
    body: readonly Uint8Array[],
    encoding: string,
    most = limit,
  ): Promise<unknown> =>
    unpackWhole(body, encoding, { limit: most }).then(
      () => 'none',
      (error: unknown) => (error instanceof UnpackError ? error.reason : error),
    );

  test('too large once unpacked, plain or packed', async () => {
    expect(await reasonOf([gzipSync(Buffer.alloc(5000))], 'gzip', 4999)).toBe('too-large');
    expect(await reasonOf([gzipSync(Buffer.alloc(5000))], 'gzip', 5000)).toBe('none');
    expect(await reasonOf([Buffer.alloc(11)], '', 10)).toBe('too-large');
  });

  test('an encoding nobody knows, or too many', async () => {
    expect(await reasonOf([Buffer.from('x')], 'compress')).toBe('unknown-encoding');
    expect(await reasonOf([Buffer.from('x')], 'gzip,gzip,gzip,gzip,gzip')).toBe('unknown-encoding');
  });

  test('damaged or cut bytes', async () => {
    const whole = gzipSync('hello hello hello');
    expect(await reasonOf([Buffer.from('no gzip at all')], 'gzip')).toBe('damaged');
    expect(await reasonOf([whole.subarray(0, 20)], 'gzip')).toBe('damaged');
    expect(await reasonOf([gzipSync('not packed twice')], 'zstd, gzip')).toBe('damaged');
  });

  test('of the source as it is, and with the abort', async () => {
    const failure = new Error('reset');
    async function* broken() {
      yield gzipSync('hello').subarray(0, 12);
      throw failure;
    }
    const read = async (signal?: AbortSignal) => {
      for await (const chunk of unpack(broken(), 'gzip', {
        limit,
        ...(signal === undefined ? {} : { signal }),
      }))
        expect(chunk).toBeDefined();
    };
    await expect(read()).rejects.toBe(failure);
    await expect(read(AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
  });
});

test('what was flushed comes out before the source ends, and stopping ends the source', async () => {
  const packed = gzipSync('data: 1\n\n');
  let isEnded = false;
  async function* source() {
    try {
      yield packed.subarray(0, packed.length - 8);
      await new Promise<never>(() => undefined);
    } finally {
      isEnded = true;
    }
  }
  async function* endless() {
    try {
      for (;;) yield Buffer.from('x');
    } finally {
      isEnded = true;
    }
  }
  const first = await unpack(source(), 'gzip', { limit }).next();
  expect(Buffer.from(first.value ?? []).toString()).toBe('data: 1\n\n');
  const plain = unpack(endless(), undefined, { limit });
  await plain.next();
  await plain.return();
  expect(isEnded).toBe(true);
});
