import { defineExport } from '@vf/core';
import { writeJsonLines } from '@vf/export-kit';
import { config } from './config.ts';
import { trajectories } from './trajectories.ts';

export { readTrajectories, trajectoryLines } from './read.ts';
export { validateTrajectory, writeTrajectories } from './write.ts';
export { trajectories } from './trajectories.ts';
export { schemaVersion } from './contract/trajectory.ts';
export type * from './contract/trajectory.ts';
export type { RecordProblem } from './contract/checks.ts';
export type { TrajectoryLine } from './read.ts';

export default defineExport({
  id: 'hessian',
  config,
  needsTokens: true,
  write: async (request) => ({
    written: await writeJsonLines(request.path, trajectories(request), request.signal),
    unit: 'episodes',
  }),
});
