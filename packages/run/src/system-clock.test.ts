import { expect, test } from 'vitest';
import { systemClock } from './system-clock.ts';

const never = new AbortController().signal;

test('a sleep ends by itself, or with the reason of the signal', async () => {
  await expect(systemClock.sleep(0, never)).resolves.toBeUndefined();
  const stop = new AbortController();
  const asleep = systemClock.sleep(3_600_000, stop.signal);
  const reason = new Error('stopped');
  stop.abort(reason);
  await expect(asleep).rejects.toBe(reason);
  await expect(systemClock.sleep(3_600_000, stop.signal)).rejects.toBe(reason);
});
