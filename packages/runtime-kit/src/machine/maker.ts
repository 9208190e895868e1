import { hostname } from 'node:os';
import { processStart } from './process-table.ts';

/** A process, named so that another one with the same pid is not taken for it. */
export interface Maker {
  readonly host: string;
  readonly pid: number;
  readonly start: string | null;
}

let self: Maker | null = null;

/** The process that runs this. */
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
