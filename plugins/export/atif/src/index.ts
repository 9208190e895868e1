import { defineExport } from '@vf/core';
import { config } from './config.ts';
import { writeDocuments } from './write-documents.ts';

export { trajectoryOf } from './trajectory-of.ts';
export type * from './document.ts';

export default defineExport({ id: 'atif', config, write: writeDocuments });
