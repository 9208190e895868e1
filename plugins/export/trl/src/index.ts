import { defineExport } from '@vf/core';
import { writeJsonLines } from '@vf/export-kit';
import { trlRows } from './trl-rows.ts';

export { trlRows } from './trl-rows.ts';
export type { TrlRow } from './trl-rows.ts';

export default defineExport({
  id: 'trl',
  needsTokens: true,
  write: async (request) => ({
    written: await writeJsonLines(request.path, trlRows(request), request.signal),
    unit: 'samples',
  }),
});
