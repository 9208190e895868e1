import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { arrivals } from '../src/engine/arrivals.ts';

async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const batch of bytes) text += batch.toString();
  return text;
}

test('all that comes is told, in order and once, while the reader is busy too', async () => {
  const stream = new PassThrough();
  const told: string[] = [];
  stream.write('a');
  for await (const batch of arrivals(stream)) {
    told.push(batch.toString());
    if (told.length > 1) continue;
    stream.write('b');
    stream.write('c');
    stream.end('d');
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(told.join('')).toBe('abcd');
  expect(told.length).toBeLessThan(4);
});

test('a stream without bytes is over at its end', async () => {
  const stream = new PassThrough();
  stream.end();
  expect(await textOf(arrivals(stream))).toBe('');
});

test('what a stream fails with is thrown', async () => {
  const stream = new PassThrough();
  const text = textOf(arrivals(stream));
  stream.write('a');
  stream.destroy(new Error('reset'));
  await expect(text).rejects.toThrow('reset');
});

test('a stream that closes before its end fails', async () => {
  const stream = new PassThrough();
  const text = textOf(arrivals(stream));
  stream.destroy();
  await expect(text).rejects.toThrow('closed');
});

test('a stream whose reader stops is let go of', async () => {
  const stream = new PassThrough();
  stream.write('a');
  for await (const _ of arrivals(stream)) break;
  expect(stream.destroyed).toBe(true);
});
