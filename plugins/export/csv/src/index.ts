import { defineExport } from '@vf/core';
import { config } from './config.ts';
import { writeCsv } from './write-csv.ts';

export default defineExport({ id: 'csv', config, write: writeCsv });
