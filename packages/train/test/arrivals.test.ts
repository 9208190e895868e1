import { expect, test } from 'vitest';
import { Arrivals, TooLong } from '../src/engine/arrivals.ts';

interface Arriving {
  readonly bytes: Arrivals;
  /** What the source was aborted with. */
  readonly aborts: Error[];
  send(text: string): void;
}

function arriving(): Arriving {
  const aborts: Error[] = [];
  const bytes = new Arrivals({ abort: (reason) => aborts.push(reason) });
  return { bytes, aborts, send: (text) => bytes.push(Buffer.from(text)) };
}

async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const batch of bytes) text += batch.toString();
  return text;
}

test('all that comes is told, in order and once, while the reader is busy too', async () => {
  const { bytes, send } = arriving();
  const told: string[] = [];
  send('a');
  for await (const batch of bytes.batches()) {
    told.push(batch.toString());
    if (told.length > 1) continue;
    send('b');
    send('c');
    send('d');
    bytes.finish(null);
  }
  expect(told).toEqual(['a', 'bcd']);
});

test('what came soon after a batch is told though nothing follows', async () => {
  const { bytes, send } = arriving();
  const batches = bytes.batches();
  send('a');
  expect((await batches.next()).value?.toString()).toBe('a');
  const next = batches.next();
  send('b');
  send('c');
  expect((await next).value?.toString()).toBe('bc');
  await batches.return(undefined);
});

test('a stream without bytes is over at its end', async () => {
  const { bytes } = arriving();
  bytes.finish(null);
  expect(await textOf(bytes.batches())).toBe('');
});

test('what a stream fails with is thrown, behind what came before it', async () => {
  const { bytes, send } = arriving();
  const told: string[] = [];
  send('a');
  bytes.finish(new Error('reset'));
  const reading = (async () => {
    for await (const batch of bytes.batches()) told.push(batch.toString());
  })();
  await expect(reading).rejects.toThrow('reset');
  expect(told).toEqual(['a']);
});

test('a stream whose reader stops is let go of, once', async () => {
  const { bytes, aborts, send } = arriving();
  send('a');
  for await (const _ of bytes.batches()) break;
  expect(aborts).toHaveLength(1);
});

test('a stream that is over is not let go of', async () => {
  const { bytes, aborts, send } = arriving();
  send('a');
  bytes.finish(null);
  expect(await textOf(bytes.batches())).toBe('a');
  expect(aborts).toEqual([]);
});

test('all of it is there before its reader asks and after', async () => {
  const { bytes, send } = arriving();
  send('a');
  const ended = bytes.ended(10);
  send('b');
  send('c');
  bytes.finish(null);
  await ended;
  expect(bytes.piece().toString()).toBe('abc');
});

test('two that are read in turns keep their own bytes', async () => {
  const [one, other] = [arriving(), arriving()];
  for (const part of ['a', 'b']) one.send(part);
  for (const part of ['c', 'd', 'e']) other.send(part);
  for (const { bytes } of [one, other]) bytes.finish(null);
  await Promise.all([one.bytes.ended(9), other.bytes.ended(9)]);
  expect(one.bytes.piece().toString()).toBe('ab');
  expect(other.bytes.piece().toString()).toBe('cde');
  expect(one.bytes.piece().toString()).toBe('ab');
});

test('what is waited for is let go of where it is too long, or breaks off', async () => {
  const long = arriving();
  const ended = long.bytes.ended(2);
  long.send('abc');
  await expect(ended).rejects.toBeInstanceOf(TooLong);
  expect(long.aborts).toHaveLength(1);
  const early = arriving();
  early.send('abc');
  await expect(early.bytes.ended(2)).rejects.toBeInstanceOf(TooLong);
  const broken = arriving();
  broken.send('ab');
  broken.bytes.finish(new Error('reset'));
  await expect(broken.bytes.ended(2)).rejects.toThrow('reset');
});
