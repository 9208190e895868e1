import type { ExportRequest, Exported } from '@vf/core';
import { withTable } from '@vf/export-kit';
import type { Config } from './config.ts';
import { sampleFields, sampleRows } from './samples.ts';
import { writeRows } from './write-rows.ts';

/** Writes one table. */
export async function writeParquet(request: ExportRequest<Config>): Promise<Exported> {
  const { episodes, path, config, signal } = request;
  const unit = config.rows;
  if (unit === 'samples') {
    return { written: await writeRows(path, sampleFields, sampleRows(request), signal), unit };
  }
  return withTable(episodes, unit, path, signal, async ({ columns, rows }) => ({
    written: await writeRows(path, columns, rows(), signal),
    unit,
  }));
}
