import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Omission } from '@vf/core';
import type { Problem } from '@vf/core/errors';
import { snake } from '@vf/run/names';

/** How often something was left out for one reason. */
export interface ReasonCount {
  readonly reason: string;
  count: number;
  /** The first of them. */
  readonly example: Omission;
}

/** Omissions that an error names one by one. */
const mostNamed = 20;

/** What an export left out: counted by reason, and each on a line of a file. */
export class Omissions {
  readonly #path: string;
  readonly #byReason = new Map<string, ReasonCount>();
  readonly #named: Omission[] = [];
  #file: WriteStream | null = null;
  #total = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get total(): number {
    return this.#total;
  }

  /** Most frequent first. */
  get reasons(): ReasonCount[] {
    return [...this.#byReason.values()].toSorted((a, b) => b.count - a.count);
  }

  add(omission: Omission): void {
    this.#total++;
    const seen = this.#byReason.get(omission.reason);
    if (seen === undefined)
      this.#byReason.set(omission.reason, { reason: omission.reason, count: 1, example: omission });
    else seen.count++;
    if (this.#named.length < mostNamed) this.#named.push(omission);
    this.#file ??= createWriteStream(this.#path);
    this.#file.write(`${JSON.stringify(snake(omission))}\n`);
  }

  /** Ends the file. @throws what the file system said about it */
  async close(): Promise<void> {
    if (this.#file === null) return;
    this.#file.end();
    await finished(this.#file);
  }

  /** The first of them by name, as an error shows them. */
  problems(): Problem[] {
    const named = this.#named.map((omission) => ({
      path: nameOf(omission),
      message: reasonText(omission),
    }));
    const more = this.#total - named.length;
    return more === 0 ? named : [...named, { path: '…', message: `and ${more} more` }];
  }
}

/** `task:attempt`, and of several agents which one. */
export function nameOf({ task, attempt, agent }: Omission): string {
  return `${task}:${attempt}${agent === undefined || agent === 'agent' ? '' : ` ${agent}`}`;
}

export function reasonText({ reason, detail }: Omission): string {
  return detail === undefined ? reason : `${reason} (${detail})`;
}
