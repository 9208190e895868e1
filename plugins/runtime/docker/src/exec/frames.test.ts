import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { framesOf } from './frames.ts';

const frame = fc.record({
  from: fc.constantFrom('stdout' as const, 'stderr' as const),
  payload: fc.uint8Array({ maxLength: 40 }),
});

test('frames are read however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(frame), fc.integer({ min: 1, max: 30 }), async (frames, size) => {
      const read = { stdout: '', stderr: '' };
      for await (const { from, payload } of framesOf(
        cut(Buffer.concat(frames.map(encode)), size),
      )) {
        read[from] += payload.toString('hex');
      }
      for (const name of ['stdout', 'stderr'] as const) {
        const sent = frames.filter(({ from }) => from === name).map(({ payload }) => payload);
        expect(read[name]).toBe(Buffer.concat(sent).toString('hex'));
      }
    }),
  );
});

function encode({ from, payload }: { from: 'stdout' | 'stderr'; payload: Uint8Array }): Buffer {
  const header = Buffer.alloc(8);
  header[0] = from === 'stderr' ? 2 : 1;
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

async function* cut(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
