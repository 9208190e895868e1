import { defineExport } from '@vf/core';
import { config } from './config.ts';
import { writeDocuments } from './write-documents.ts';

export { trajectoryOf } from './trajectory-of.ts';
export type {
  AtifAgent,
  AtifContent,
  AtifToolCall,
  ContentPart,
  Metrics,
  ObservationResult,
  Step,
  Trajectory,
} from '@vf/export-kit';

export default defineExport({ id: 'atif', config, write: writeDocuments });
