import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxLabels } from '@vf/core';
import type { Maker } from '@vf/runtime-kit';
import { recordsDir } from '../places.ts';

/** What is known of a box that stands: enough for another process to remove it. */
export interface BoxRecord {
  readonly version: 1;
  readonly id: string;
  readonly folder: string;
  readonly labels: BoxLabels;
  readonly maker: Maker;
  /** Unix milliseconds. */
  readonly created: number;
  /** For a person: it stays until asked for. */
  readonly kept?: true;
}

export function writeRecord(record: BoxRecord): void {
  mkdirSync(recordsDir(), { recursive: true });
  writeFileSync(pathOf(record.id), JSON.stringify(record));
}

export function removeRecord(id: string): void {
  rmSync(pathOf(id), { force: true });
}

/** All records; a file that is none, or that goes away meanwhile, is passed over. */
export function readRecords(): readonly BoxRecord[] {
  return names().flatMap((name) => {
    try {
      const record = JSON.parse(readFileSync(join(recordsDir(), name), 'utf8')) as BoxRecord;
      return record.version === 1 && record.folder.includes(record.id) ? [record] : [];
    } catch {
      return [];
    }
  });
}

function names(): readonly string[] {
  try {
    return readdirSync(recordsDir()).filter((name) => name.endsWith('.json'));
  } catch {
    return [];
  }
}

function pathOf(id: string): string {
  return join(recordsDir(), `${id}.json`);
}
