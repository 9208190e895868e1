import type { Taskset } from '@vf/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadRows, tasksetChecks } from './checks.ts';
import type { LoadedTaskset, TasksetSuiteOptions } from './checks.ts';

export type { TasksetSuiteOptions } from './checks.ts';
export type MakeTaskset = () => Taskset | Promise<Taskset>;

/**
 * The contract of a taskset as far as it holds without a rollout: options, rows, scores. That its reference solutions
 * score full marks and that doing nothing scores none is for `vf validate` to see.
 */
export function describeTaskset(make: MakeTaskset, options: TasksetSuiteOptions = {}): void {
  const timeout = options.timeoutMs ?? 60_000;
  describe('taskset contract', { timeout }, () => {
    let loaded: LoadedTaskset;
    beforeAll(async () => {
      loaded = await loadRows(await make(), options);
    }, timeout);
    test.each(tasksetChecks)('$name', async ({ run }) => {
      await expect(run(loaded)).resolves.toBeUndefined();
    });
  });
}
