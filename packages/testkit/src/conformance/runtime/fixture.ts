import { mkdtempSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box, BoxLabels, BoxSpec, Runtime } from '@vf/core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { MakeRuntime, RuntimeSuiteOptions } from './options.ts';

/** What the tests of a runtime share: the runtime, a box that all may use, and boxes of their own. */
export interface RuntimeFixture {
  readonly runtime: Runtime;
  /** The shared box. */
  readonly box: Box;
  readonly options: RuntimeSuiteOptions;
  readonly signal: AbortSignal;
  /** Made with the suite's spec; stopped after the test. */
  open(spec?: Partial<BoxSpec>, signal?: AbortSignal): Promise<Box>;
  /** A folder on the host, removed after the test. */
  folder(): Promise<string>;
}

/** Labels of a box that this process makes. */
export function ownLabels(): BoxLabels {
  const started = Math.floor(Date.now() - performance.now());
  return { run: 'conformance', rollout: uniqueName(), host: hostname(), pid: process.pid, started };
}

/** A name that no other test uses. */
export function uniqueName(): string {
  return `vf-${crypto.randomUUID().slice(0, 8)}`;
}

/** Sets the fixture up around the tests that follow in the same block. */
export function setUpRuntime(make: MakeRuntime, options: RuntimeSuiteOptions): RuntimeFixture {
  const abort = new AbortController();
  const boxes: Box[] = [];
  const folders: string[] = [];
  let runtime: Runtime | null = null;
  let shared: Box | null = null;

  useOwnCache();
  beforeAll(async () => {
    runtime = await make();
    shared = await runtime.create(specOf(options), abort.signal);
  }, options.timeoutMs ?? 60_000);
  afterEach(async () => {
    await Promise.all(boxes.splice(0).map((box) => box.stop()));
    await Promise.all(folders.splice(0).map((dir) => rm(dir, { recursive: true, force: true })));
  });
  afterAll(() => shared?.stop());

  return {
    options,
    signal: abort.signal,
    get runtime() {
      return made(runtime);
    },
    get box() {
      return made(shared);
    },
    async open(spec = {}, signal = abort.signal) {
      const box = await made(runtime).create({ ...specOf(options), ...spec }, signal);
      boxes.push(box);
      return box;
    },
    async folder() {
      const folder = await mkdtemp(join(tmpdir(), 'vf-conformance-'));
      folders.push(folder);
      return folder;
    },
  };
}

/** What is installed once per machine goes into a folder of the suite, also for processes that it starts. */
function useOwnCache(): void {
  const before = process.env['VF_CACHE_DIR'];
  const dir = mkdtempSync(join(tmpdir(), 'vf-conformance-cache-'));
  const use = (): void => void (process.env['VF_CACHE_DIR'] = dir);
  beforeAll(use);
  // Stubs of other hooks may be undone before each test.
  beforeEach(use);
  afterAll(async () => {
    delete process.env['VF_CACHE_DIR'];
    if (before !== undefined) process.env['VF_CACHE_DIR'] = before;
    await rm(dir, { recursive: true, force: true });
  });
}

function specOf({ spec }: RuntimeSuiteOptions): BoxSpec {
  return { config: {}, ...spec, labels: ownLabels() };
}

function made<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the runtime made no box');
  return value;
}
