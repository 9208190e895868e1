export { playEpisode } from './episode.ts';
export { scoreGroup } from './group-scoring.ts';
export type { GroupScores } from './group-scoring.ts';
export { providerError } from './provider-error.ts';
export { rescoreTrace } from './rescore.ts';
export { single } from './single.ts';
export type {
  EpisodePlan,
  PlannedMetric,
  PlannedReward,
  PlannedStop,
  RetryPolicy,
  RolePlan,
  RolloutObserver,
  Services,
  SideModels,
  StageLimits,
  TaskInstance,
  TasksetPlan,
} from './plan.ts';
