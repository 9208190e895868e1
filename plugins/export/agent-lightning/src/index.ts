import { defineExport } from '@vf/core';
import { writeJsonLines } from '@vf/export-kit';
import { completedRollouts } from './completed-rollouts.ts';

export { completedRollouts } from './completed-rollouts.ts';
export type { CompletedRollout, Triplet } from './completed-rollouts.ts';

export default defineExport({
  id: 'agent-lightning',
  needsTokens: true,
  write: async (request) => ({
    written: await writeJsonLines(request.path, completedRollouts(request), request.signal),
    unit: 'rollouts',
  }),
});
