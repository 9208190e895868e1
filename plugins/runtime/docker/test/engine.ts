import Docker from 'dockerode';
import { hostname } from 'node:os';
import type { Box, BoxSpec } from '@vf/core';
import { afterEach } from 'vitest';
import runtime from '../src/index.ts';

export const docker = new Docker();
export const { signal } = new AbortController();

const answers = await docker.ping().then(
  () => true,
  () => false,
);

/** Without an engine tests are skipped on a developer's machine and fail in CI. */
export const noEngine = !answers && process.env['CI'] !== 'true';

/** Makes boxes that are stopped after the test. */
export function boxes(): (spec?: Partial<BoxSpec>) => Promise<Box> {
  const made: Box[] = [];
  afterEach(async () => {
    await Promise.all(made.splice(0).map((box) => box.stop()));
  });
  return async (spec = {}) => {
    const started = Math.floor(Date.now() - performance.now());
    const labels = { run: 'test', rollout: 'test', host: hostname(), pid: process.pid, started };
    const config = { pull: 'never', ...Object(spec.config) } as const;
    const box = await runtime.create({ image: 'debian:bookworm', labels, ...spec, config }, signal);
    made.push(box);
    return box;
  };
}
