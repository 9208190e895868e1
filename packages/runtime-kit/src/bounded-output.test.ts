import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedOutput } from './bounded-output.ts';

function collected(chunks: readonly string[], maxBytes: number): BoundedOutput {
  const output = new BoundedOutput(maxBytes);
  for (const chunk of chunks) output.push(Buffer.from(chunk));
  return output;
}

test('keeps all that fits, however it is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (chunks) => {
      const bytes = chunks.reduce((total, chunk) => total + Buffer.byteLength(chunk), 0);
      const output = collected(chunks, bytes);
      expect(output.truncated).toBe(false);
      expect(output.toString()).toBe(chunks.join(''));
    }),
  );
});

test('keeps both ends of what does not fit, and whole characters', () => {
  const words = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '€', '🙂'), minLength: 1 }), {
    minLength: 20,
  });
  fc.assert(
    fc.property(words, fc.integer({ min: 0, max: 15 }), (chunks, maxBytes) => {
      const whole = chunks.join('');
      const output = collected(chunks, maxBytes);
      expect(output.truncated).toBe(true);
      const [, head = '', missing = '', tail = ''] =
        /^([^]*)\n\[… (\d+) bytes left out …\]\n([^]*)$/.exec(output.toString()) ?? [];
      expect(whole.startsWith(head)).toBe(true);
      expect(whole.endsWith(tail)).toBe(true);
      const kept = Buffer.byteLength(head) + Buffer.byteLength(tail);
      expect(kept).toBeLessThanOrEqual(maxBytes);
      expect(kept + Number(missing)).toBe(Buffer.byteLength(whole));
    }),
  );
});
