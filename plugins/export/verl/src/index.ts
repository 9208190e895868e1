import { defineExport } from '@vf/core';
import { writeJsonLines } from '@vf/export-kit';
import { agentLoopOutputs } from './agent-loop-outputs.ts';

export { agentLoopOutputs } from './agent-loop-outputs.ts';
export type { AgentLoopOutput } from './agent-loop-outputs.ts';

export default defineExport({
  id: 'verl',
  needsTokens: true,
  write: async (request) => ({
    written: await writeJsonLines(request.path, agentLoopOutputs(request), request.signal),
    unit: 'samples',
  }),
});
