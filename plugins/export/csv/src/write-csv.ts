import type { ExportRequest, Exported } from '@vf/core';
import { withTable, writeTexts } from '@vf/export-kit';
import type { Config } from './config.ts';
import { csvLines } from './csv-text.ts';

/** Writes one table as UTF-8 text. */
export function writeCsv(request: ExportRequest<Config>): Promise<Exported> {
  const { episodes, path, config, signal } = request;
  return withTable(episodes, config.rows, path, signal, async ({ columns, rows }) => {
    const lines = await writeTexts(path, csvLines(columns, rows()), signal);
    return { written: lines - 1, unit: config.rows };
  });
}
