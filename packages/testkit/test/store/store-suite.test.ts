import { describe, expect, test } from 'vitest';
import { describeStore } from '../../src/conformance/index.ts';
import type { StoreSuiteOptions } from '../../src/conformance/index.ts';
import { runStoreCheck } from '../../src/conformance/store/fixture.ts';
import { storeChecks } from '../../src/conformance/store/index.ts';
import { faults } from './faults.ts';
import type { Fault } from './faults.ts';
import { smallStore } from './small-store.ts';

function optionsOf(fault: Fault | null): StoreSuiteOptions {
  const module = new URL('./modules.ts', import.meta.url);
  module.search = fault ?? '';
  // Those two never come, and are waited for in vain; a sound journal on a busy machine takes its time.
  const isInVain = fault === 'no-journal' || fault === 'first-turn-only';
  return { module, journalMs: isInVain ? 500 : 60_000 };
}

describe('a sound store of another make', () => {
  describeStore(() => smallStore(), optionsOf(null));
});

describe('the suite', () => {
  test('has a broken store for every check', () => {
    expect(Object.keys(faults).toSorted()).toEqual(storeChecks.map(({ name }) => name).toSorted());
  });

  test.each(storeChecks)('finds out who does not hold that $name', async (check) => {
    const fault = faults[check.name as keyof typeof faults];
    const checked = runStoreCheck(check, smallStore(fault), optionsOf(fault));
    await expect(checked).rejects.toMatchObject({ name: 'AssertionError' });
  });

  test('finds out who says too early that an episode is written', async () => {
    const kill = storeChecks.at(-1);
    if (kill === undefined) throw new Error('there are checks');
    const check = runStoreCheck(kill, smallStore('writes-late'), optionsOf('writes-late'));
    await expect(check).rejects.toThrow('expected [] to deeply equal');
  });
});
