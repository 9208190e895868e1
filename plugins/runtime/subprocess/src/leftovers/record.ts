import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { BoxLabels } from '@vf/core';
import { recordsDir } from '../places.ts';
import { processStart } from '../process/process-table.ts';

/** What is known of a box that stands: enough for another process to remove it. */
export interface BoxRecord {
  readonly version: 1;
  readonly id: string;
  readonly folder: string;
  readonly labels: BoxLabels;
  readonly maker: Maker;
  /** Unix milliseconds. */
  readonly created: number;
}

/** A process, named so that another one with the same pid is not taken for it. */
export interface Maker {
  readonly host: string;
  readonly pid: number;
  readonly start: string | null;
}

let self: Maker | null = null;

export function thisProcess(): Maker {
  self ??= { host: hostname(), pid: process.pid, start: processStart(process.pid) };
  return self;
}

/** Also true for one on another machine, of which nothing is known. */
export function mayBeAlive(maker: Maker): boolean {
  if (maker.host !== hostname()) return true;
  const start = processStart(maker.pid);
  return start !== null && start === maker.start;
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
