import type { Environment } from '@vf/core';
import { beforeAll, describe, expect, test } from 'vitest';
import { playScripted } from './stage.ts';
import type { EnvironmentSuiteOptions, PlayedEpisode } from './stage.ts';

export type { EnvironmentSuiteOptions } from './stage.ts';
export type MakeEnvironment = () => Environment | Promise<Environment>;

/** The contract of an environment: each test plays an episode whose agents are scripted and have no box. */
export function describeEnvironment(make: MakeEnvironment, options: EnvironmentSuiteOptions): void {
  describe('environment contract', { timeout: options.timeoutMs ?? 60_000 }, () => {
    let environment: Environment;
    let played: PlayedEpisode;
    beforeAll(async () => {
      environment = await make();
      played = await playScripted(environment, options, 'well');
    }, options.timeoutMs ?? 60_000);

    test('is what defineEnvironment returns, with roles', () => {
      expect(environment).toMatchObject({ kind: 'environment', specVersion: 1 });
      expect(Object.keys(environment.spec.roles)).not.toEqual([]);
      expect(Object.keys(environment.spec.roles)).toEqual(
        expect.arrayContaining(Object.keys(options.replies)),
      );
    });

    test('plays an episode, and ends every conversation that it opens', () => {
      expect(played.rollouts.length).toBeGreaterThan(0);
      expect(played.open).toBe(0);
    });

    test('gives finite rewards, to rollouts of the episode', () => {
      for (const { rollout, name, score, weight = 1 } of played.given) {
        expect(played.rollouts, name).toContain(rollout);
        expect(score === null || Number.isFinite(score), `${name} ${score}`).toBe(true);
        expect(Number.isFinite(weight), `weight of ${name}`).toBe(true);
      }
    });

    test('chooses at most one rollout, of the episode', () => {
      expect(played.chosen.length).toBeLessThanOrEqual(1);
      for (const rollout of played.chosen) expect(played.rollouts).toContain(rollout);
    });

    test('takes rollouts that failed: they are on their traces, and nothing is thrown', async () => {
      const broken = await playScripted(environment, options, 'broken');
      expect(broken.open).toBe(0);
    });

    test('does not hide that it was cancelled', async () => {
      await expect(playScripted(environment, options, 'cancelled')).rejects.toThrow('cancelled');
    });
  });
}
