import type { Box, Trace } from '@vf/core';
import type { Boxes } from './boxes.ts';
import type { RolePlan, Services, TaskInstance, TasksetPlan } from './plan.ts';

/** What one try at a rollout is made of. */
export interface AttemptInit {
  readonly role: RolePlan;
  readonly task: TaskInstance;
  /** Whose hooks and scoring apply; null for a task that an environment made up. */
  readonly taskset: TasksetPlan | null;
  readonly trace: Trace;
  readonly boxes: Boxes;
  readonly services: Services;
  readonly signal: AbortSignal;
  /** Another rollout's box to work in. */
  readonly box?: Box;
  /** Another rollout's state to share. */
  readonly state?: object;
}
