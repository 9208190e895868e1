import { defineExport } from '@vf/core';
import { writeJsonLines } from '@vf/export-kit';

export default defineExport({
  id: 'verifiers',
  write: async ({ episodes, path, signal }) => ({
    written: await writeJsonLines(path, episodes, signal),
    unit: 'episodes',
  }),
});
