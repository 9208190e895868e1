import { written } from '@vf/export-kit';
import { ParquetWriter, fileWriter } from 'hyparquet-writer';
import type { Field, Value, Values } from './fields.ts';
import { schemaOf } from './schema.ts';

/** Rows of a row group; long texts and lists close one earlier. */
const mostRows = 10_000;
/** Characters of a row group, about 32 MB in memory. */
const mostWeight = 16_000_000;
/** The writer spreads lists out: each number takes some 80 bytes until its group is written. */
const itemWeight = 32;

/**
 * Writes rows in row groups, one of them in memory at a time.
 * @returns how many rows were written
 */
export async function writeRows(
  path: string,
  fields: readonly Field[],
  rows: AsyncIterable<Values>,
  signal: AbortSignal,
): Promise<number> {
  return written(path, async (part) => {
    const file = new ParquetWriter({
      writer: fileWriter(part),
      schema: schemaOf(fields),
      createdBy: 'vf',
    });
    let group: Values[] = [];
    let weight = 0;
    let count = 0;
    const flush = async (): Promise<void> => {
      if (group.length === 0) return;
      await file.write({ columnData: columnsOf(fields, group), rowGroupSize: group.length });
      count += group.length;
      group = [];
      weight = 0;
    };
    for await (const row of rows) {
      signal.throwIfAborted();
      group.push(row);
      weight += Object.values(row).reduce<number>((sum, value) => sum + weightOf(value), 0);
      if (group.length >= mostRows || weight >= mostWeight) await flush();
    }
    signal.throwIfAborted();
    await flush();
    await file.finish();
    return count;
  });
}

function weightOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  return Array.isArray(value) ? value.length * itemWeight : 1;
}

function columnsOf(fields: readonly Field[], rows: readonly Values[]) {
  return fields.map(({ name, type }) => ({
    name,
    data: rows.map((row) => {
      const value = row[name] ?? null;
      return type === 'integer' && typeof value === 'number' ? BigInt(value) : value;
    }),
  }));
}
