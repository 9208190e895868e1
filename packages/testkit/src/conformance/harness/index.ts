import { describe, vi } from 'vitest';
import { actingTests } from './acting.ts';
import { askingTests } from './asking.ts';
import { endingTests } from './ending.ts';
import type { HarnessSuiteOptions, MakeHarness } from './options.ts';
import { setUpStage } from './stage.ts';

/**
 * The harness contract in executable form: declares the tests that every harness passes, each a rollout against a
 * scripted model in a box of `options.runtime`. What a harness declares in its capabilities is checked both ways.
 */
export function describeHarness(makeHarness: MakeHarness, options: HarnessSuiteOptions): void {
  describe('harness contract', { timeout: options.timeoutMs ?? 120_000 }, () => {
    vi.setConfig({ hookTimeout: options.timeoutMs ?? 120_000 });
    const at = setUpStage(makeHarness, options);
    askingTests(at);
    actingTests(at);
    endingTests(at);
  });
}

export type { HarnessSuiteOptions, MakeHarness } from './options.ts';
