import type { Environment } from '@vf/core';
import { describe, expect, test } from 'vitest';
import { environmentChecks } from './checks.ts';
import type { EnvironmentSuiteOptions } from './stage.ts';

export type { EnvironmentSuiteOptions } from './stage.ts';
export type MakeEnvironment = () => Environment | Promise<Environment>;

/** The contract of an environment: each test plays an episode whose agents are scripted and have no box. */
export function describeEnvironment(make: MakeEnvironment, options: EnvironmentSuiteOptions): void {
  describe('environment contract', { timeout: options.timeoutMs ?? 60_000 }, () => {
    test.each(environmentChecks)('$name', async ({ run }) => {
      await expect(run(await make(), options)).resolves.toBeUndefined();
    });
  });
}
