import { fileURLToPath } from 'node:url';
import { defineTaskset } from '@vf/core';
import type { Taskset } from '@vf/core';
import { configSchema } from './config.ts';
import type { Config } from './config.ts';
import { isUngraded, prepareGrading } from './grade/grade-step.ts';
import { reward } from './grade/reward.ts';
import { writeTrajectory } from './grade/trajectory-file.ts';
import { loadRows } from './load.ts';
import { setUp } from './play/begin.ts';
import { nextStep } from './play/next-step.ts';
import { newPlay } from './play/play.ts';
import { solve } from './play/solve.ts';
import { rowSchema } from './row.ts';
import type { Row } from './row.ts';

/** What a package of tasks says about them. */
export interface Shipped {
  /** Where the tasks are, unless the config names another place: `new URL('../tasks', import.meta.url)`. */
  readonly path?: string | URL;
  /** The key of reward.json that is the reward; default `reward`. */
  readonly rewardKey?: string;
}

/** A taskset of Harbor tasks. */
export function harborTaskset({ path, rewardKey = 'reward' }: Shipped = {}): Taskset<
  Row,
  Row,
  Config
> {
  const shipped = path instanceof URL ? fileURLToPath(path) : path;
  return defineTaskset({
    config: configSchema,
    data: rowSchema,
    state: newPlay,
    needs: { container: true, resume: false, boxToScore: true },
    load: ({ config, signal }) => loadRows(config, shipped, signal),
    setup: setUp,
    next: nextStep,
    validate: solve,
    async finalize(ctx) {
      if (!isUngraded(ctx)) return;
      await writeTrajectory(ctx);
      await prepareGrading(ctx);
    },
    rewards: { reward: (ctx) => reward(ctx, ctx.config.rewardKey ?? rewardKey) },
  });
}
