import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tellSlow } from './tell-slow.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('what takes long is told once, what is done or has failed before is not', async () => {
  const say = vi.fn<() => void>();
  const { promise, resolve } = Promise.withResolvers<string>();
  const long = tellSlow(promise, say);
  await expect(tellSlow(Promise.resolve('at once'), say)).resolves.toBe('at once');
  await expect(tellSlow(Promise.reject(new Error('refused')), say)).rejects.toThrow('refused');
  vi.advanceTimersByTime(60_000);
  expect(say).toHaveBeenCalledOnce();
  resolve('at last');
  await expect(long).resolves.toBe('at last');
});
