import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeRuntime } from '@vf/testkit/conformance';
import { afterAll, beforeAll, vi } from 'vitest';
import subprocess from '../src/index.ts';

const cache = mkdtempSync(join(tmpdir(), 'vf-cache-'));
beforeAll(() => void vi.stubEnv('VF_CACHE_DIR', cache));
afterAll(() => rmSync(cache, { recursive: true }));

describeRuntime(() => subprocess, {
  module: new URL('../src/index.ts', import.meta.url),
  sharesHost: true,
});
