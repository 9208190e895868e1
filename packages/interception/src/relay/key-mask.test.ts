import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunked } from '../../test/body.ts';
import { KeyMask } from './key-mask.ts';

const key = 'sk-sss-sk-secret-key';

function maskOf(secret: string, status = 200): KeyMask {
  const mask = KeyMask.of(secret, status);
  if (mask === null) throw new Error('there is nothing to mask');
  return mask;
}

function masked(chunks: readonly Uint8Array[]): string {
  const mask = maskOf(key);
  const passed = chunks.map((chunk) => mask.push(Buffer.from(chunk)));
  return Buffer.concat([...passed, mask.end()]).toString();
}

describe('[wire/secret] the mask of the key', () => {
  const piece = fc.constantFrom(key, 'sk-', 's', 'sk-sss-', 'é😀', 'text ', key.slice(1), '\n\n');
  const anyText = fc
    .array(piece, { maxLength: 12 })
    .map((pieces) => pieces.join(''))
    // A reply that ends within the key is a case of its own.
    .map((text) => `${text}.`);

  test('finds it in any text, cut into any chunks', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(200), { maxLength: 20 }), (text, cuts) => {
        expect(masked(chunked(Buffer.from(text), cuts))).toBe(text.replaceAll(key, '***'));
      }),
      { numRuns: 500 },
    );
  });

  test('lets all bytes pass at once that are not the start of the key', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(200), { maxLength: 20 }), (text, cuts) => {
        const mask = maskOf(key);
        let came = '';
        let passed = 0;
        for (const chunk of chunked(Buffer.from(text), cuts)) {
          came = (came + Buffer.from(chunk).toString('latin1')).replaceAll(key, '***');
          passed += mask.push(Buffer.from(chunk)).length;
          const waiting = came.slice(passed);
          expect(key.startsWith(waiting) && waiting.length < key.length).toBe(true);
        }
      }),
    );
  });

  test('gives chunks without it as they came, not copies', () => {
    const mask = maskOf(key);
    const chunk = Buffer.from('data: {"text":"so sks"}\n\n');
    expect(mask.push(chunk)).toBe(chunk);
  });

  test('does not tell a key that was cut off, but words that keys begin with', () => {
    expect(masked([Buffer.from('a sk-sss-sk-secret-ke')])).toBe('a ***');
    expect(masked([Buffer.from('a sk-sss-')])).toBe('a sk-sss-');
  });

  test('leaves words alone in replies that stand for no key at all', () => {
    expect(KeyMask.of('EMPTY', 200)).toBeNull();
    expect(KeyMask.of('', 500)).toBeNull();
    expect(KeyMask.of(null, 500)).toBeNull();
    expect(maskOf('EMPTY', 401).push(Buffer.from('bad key EMPTY')).toString()).toBe('bad key ***');
  });
});
