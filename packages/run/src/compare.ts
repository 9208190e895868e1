export { compareRuns } from './compare/compare-runs.ts';
export type { Allowed, ComparedSide, Flip, RunComparison } from './compare/compare-runs.ts';
export { dropGate } from './compare/drop-gate.ts';
export type { DropGate } from './compare/drop-gate.ts';
