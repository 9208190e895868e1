import { defineExport } from '@vf/core';
import { config } from './config.ts';
import { writeParquet } from './write-parquet.ts';

export default defineExport({ id: 'parquet', config, write: writeParquet });
