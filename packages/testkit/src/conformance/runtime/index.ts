import { describe, vi } from 'vitest';
import { endingTests } from './ending.ts';
import { fileTests } from './files.ts';
import { setUpRuntime } from './fixture.ts';
import { lifeTests } from './life.ts';
import { networkTests } from './network.ts';
import type { MakeRuntime, RuntimeSuiteOptions } from './options.ts';
import { programTests } from './programs.ts';
import { spawnTests } from './spawning.ts';
import { sweepTests } from './sweeping.ts';
import { toolboxTests } from './toolbox.ts';
import { treeTests } from './trees.ts';

/**
 * The runtime contract in executable form: declares the tests that every runtime passes. Call it at the top of a
 * vitest file.
 */
export function describeRuntime(makeRuntime: MakeRuntime, options: RuntimeSuiteOptions): void {
  describe('runtime contract', { timeout: options.timeoutMs ?? 60_000 }, () => {
    vi.setConfig({ hookTimeout: options.timeoutMs ?? 60_000 });
    const at = setUpRuntime(makeRuntime, options);
    programTests(at);
    endingTests(at);
    spawnTests(at);
    fileTests(at);
    treeTests(at);
    lifeTests(at);
    networkTests(at);
    toolboxTests(at);
    sweepTests(at);
  });
}

export type { MakeRuntime, RuntimeGap, RuntimeSuiteOptions } from './options.ts';
