export {
  drGrpo,
  groupAdvantages,
  grpo,
  rloo,
  tokenWeights,
  type AdvantageOptions,
  type LengthNormalisation,
} from './advantages.ts';
export { clusteredMean, type Estimate } from './clustered-mean.ts';
export { pairedDifference, type Pair, type PairedDifference } from './paired.ts';
export { unitRange, type Range } from './range.ts';
export { compare, type Comparison } from './comparison.ts';
export { momentsOf, type Moments } from './moments.ts';
export { passAtK, passHatK, passLevels, passOver, type Pass, type SolvedCount } from './pass.ts';
export { tQuantile, tTwoSided } from './student-t.ts';
export { standing, summarize, type Bounds, type Standing, type Summary } from './summary.ts';
export { Tally, type ScoredRow, type TallyOptions, type TaskTally } from './tally.ts';
