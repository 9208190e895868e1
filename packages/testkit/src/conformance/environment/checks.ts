import type { Environment } from '@vf/core';
import { expect } from 'vitest';
import { playScripted } from './stage.ts';
import type { EnvironmentSuiteOptions } from './stage.ts';

/** What the contract asks of an environment, one check for each test; each plays an episode of its own. */
export const environmentChecks: readonly {
  readonly name: string;
  readonly run: (environment: Environment, options: EnvironmentSuiteOptions) => Promise<void>;
}[] = [
  {
    name: 'is what defineEnvironment returns, with the roles that play',
    async run(environment, { replies }) {
      expect(environment).toMatchObject({ kind: 'environment', specVersion: 1 });
      const roles = Object.keys(environment.spec.roles);
      expect(roles).not.toEqual([]);
      expect(roles).toEqual(expect.arrayContaining(Object.keys(replies)));
    },
  },
  {
    name: 'plays an episode, and ends every conversation that it opens',
    async run(environment, options) {
      const { rollouts, open } = await playScripted(environment, options, 'well');
      expect(rollouts.length).toBeGreaterThan(0);
      expect(open).toBe(0);
    },
  },
  {
    name: 'gives finite rewards, to rollouts of the episode',
    async run(environment, options) {
      const { rollouts, given } = await playScripted(environment, options, 'well');
      for (const { rollout, name, score, weight = 1 } of given) {
        expect(rollouts, name).toContain(rollout);
        expect(score === null || Number.isFinite(score), `${name} ${score}`).toBe(true);
        expect(Number.isFinite(weight), `weight of ${name}`).toBe(true);
      }
    },
  },
  {
    name: 'chooses at most one rollout, of the episode',
    async run(environment, options) {
      const { rollouts, chosen } = await playScripted(environment, options, 'well');
      expect(chosen.length).toBeLessThanOrEqual(1);
      for (const rollout of chosen) expect(rollouts).toContain(rollout);
    },
  },
  {
    name: 'takes rollouts that failed: they are on their traces, and nothing is thrown',
    async run(environment, options) {
      expect((await playScripted(environment, options, 'broken')).open).toBe(0);
    },
  },
  {
    name: 'does not hide that it was cancelled',
    async run(environment, options) {
      await expect(playScripted(environment, options, 'cancelled')).rejects.toThrow('cancelled');
    },
  },
];
