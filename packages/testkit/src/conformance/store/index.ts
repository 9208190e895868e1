import { describe, expect, test } from 'vitest';
import type { Store, StoreCheck, StoreSuiteOptions } from './contract.ts';
import { crashes } from './crashes.ts';
import { runStoreCheck } from './fixture.ts';
import { journals } from './journals.ts';
import { keeping } from './keeping.ts';
import { kills } from './kills.ts';
import { locking } from './locking.ts';
import { writing } from './writing.ts';

/** All that is asked of a store. */
export const storeChecks: readonly StoreCheck[] = [
  ...keeping,
  ...writing,
  ...locking,
  ...journals,
  ...crashes,
  ...kills,
];

/**
 * The contract of a store in executable form: declares the tests that every store passes. Call it at the top of
 * a vitest file.
 */
export function describeStore(makeStore: () => Store, options: StoreSuiteOptions): void {
  describe('store contract', { timeout: options.timeoutMs ?? 120_000 }, () => {
    test.each(storeChecks)('$name', async (check) => {
      await expect(runStoreCheck(check, makeStore(), options)).resolves.toBeUndefined();
    });
  });
}
