import { hostname } from 'node:os';
import type { Box, BoxSpec } from '@vf/core';
import subprocess from '../src/index.ts';

const { signal } = new AbortController();

/** A box of this process; the caller stops it. */
export function makeBox(spec: Partial<BoxSpec<{ dir?: string }>> = {}): Promise<Box> {
  const labels = { run: 'test', rollout: 'r1', host: hostname(), pid: process.pid, started: 1 };
  return subprocess.create({ config: {}, labels, ...spec }, signal);
}
