import type { Box, BoxSpec, Runtime } from '@vf/core';
import { expect, test, vi } from 'vitest';
import { StandingBoxes } from './tracked-boxes.ts';

const { signal } = new AbortController();
const spec: BoxSpec = {
  config: {},
  labels: { run: 'r', rollout: 'o', host: 'h', pid: 1, started: 0 },
};

function runtimeOf(
  make: () => Promise<Pick<Box, 'stop' | 'cleanup'>>,
  more: Partial<Runtime>,
): Runtime {
  const offers = {
    images: false,
    policies: [],
    policyChange: false,
    users: false,
    services: false,
  };
  const create = async (): Promise<Box> => (await make()) as Box;
  const sweep = async (): Promise<[]> => [];
  return { kind: 'runtime', specVersion: 1, id: 'x', offers, create, sweep, ...more };
}

test('a runtime that frees all at once is asked once, also while its boxes are being made', async () => {
  const cleanup = vi.fn<() => number | null>(() => 3);
  const one = vi.fn<() => void>();
  const made = Promise.withResolvers<Pick<Box, 'stop' | 'cleanup'>>();
  const standing = new StandingBoxes();
  const runtime = standing.watch(runtimeOf(() => made.promise, { cleanup }));
  const making = [runtime.create(spec, signal), runtime.create(spec, signal)];
  expect(standing.count).toBe(2);
  expect(standing.cleanup()).toBe(3);
  expect(standing.cleanup()).toBe(0);
  expect(cleanup).toHaveBeenCalledOnce();
  made.resolve({ stop: async () => {}, cleanup: one });
  const [box] = await Promise.all(making);
  await box?.stop();
  expect(one).not.toHaveBeenCalled();
});

test('else each box is, and one that fails counts as left', async () => {
  const cleaned = vi.fn<() => void>();
  const standing = new StandingBoxes();
  const failing = (): void => {
    cleaned();
    if (cleaned.mock.calls.length === 1) throw new Error('no');
  };
  const runtime = standing.watch(
    runtimeOf(async () => ({ stop: async () => {}, cleanup: failing }), {}),
  );
  const boxes = await Promise.all([1, 2, 3].map(() => runtime.create(spec, signal)));
  await boxes[2]?.stop();
  expect(standing.count).toBe(2);
  expect(standing.cleanup()).toBe(1);
  expect(cleaned).toHaveBeenCalledTimes(2);
});

test('one that is kept stays, and is counted', async () => {
  const cleaned = vi.fn<() => void>();
  const standing = new StandingBoxes();
  const keep = async (): Promise<string> => 'enter it';
  const made = async () => ({ stop: async () => {}, cleanup: cleaned, keep });
  const runtime = standing.watch(runtimeOf(made, {}));
  const [kept] = await Promise.all([1, 2].map(() => runtime.create(spec, signal)));
  expect(await kept?.keep?.()).toBe('enter it');
  expect([standing.count, standing.kept]).toEqual([1, 1]);
  expect(standing.cleanup()).toBe(0);
  expect(cleaned).toHaveBeenCalledOnce();
});
