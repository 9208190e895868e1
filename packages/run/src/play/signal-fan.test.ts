import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { SignalFan } from './signal-fan.ts';

const waiting = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

it('hands the reason on to everything that runs', async () => {
  const source = new AbortController();
  const fan = new SignalFan(source.signal);
  const works = [fan.run(waiting), fan.run(waiting)];
  const reason = new Error('stop');
  source.abort(reason);
  expect(await Promise.allSettled(works)).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
});

it('starts work aborted once the source has fired', async () => {
  const reason = new Error('stop');
  const fan = new SignalFan(AbortSignal.abort(reason));
  const seen = await fan.run(async (signal) => signal.reason as unknown);
  expect(seen).toBe(reason);
});

it('leaves work that has ended alone', async () => {
  const source = new AbortController();
  const fan = new SignalFan(source.signal);
  const ended = await fan.run(async (signal) => signal);
  source.abort();
  expect(ended.aborted).toBe(false);
});

it('puts one listener on the source however much runs', () => {
  const source = new AbortController();
  const fan = new SignalFan(source.signal);
  for (let i = 0; i < 1000; i++) void fan.run(waiting).catch(() => undefined);
  expect(getEventListeners(source.signal, 'abort')).toHaveLength(1);
  source.abort(new Error('end'));
});
