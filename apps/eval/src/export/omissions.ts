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
  /** Of the first few. */
  readonly names: string[];
}

/** Omissions of one reason that an error names. */
const mostNamed = 3;

/** What an export left out: counted by reason, and each on a line of a file. */
export class Omissions {
  readonly #path: string;
  readonly #byReason = new Map<string, ReasonCount>();
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
    const { reason } = omission;
    const seen = this.#byReason.get(reason) ?? { reason, count: 0, example: omission, names: [] };
    this.#byReason.set(reason, seen);
    seen.count++;
    if (seen.names.length < mostNamed) seen.names.push(nameOf(omission));
    this.#file ??= createWriteStream(this.#path);
    this.#file.write(`${JSON.stringify(snake(omission))}\n`);
  }

  /** Ends the file. @throws what the file system said about it */
  async close(): Promise<void> {
    if (this.#file === null) return;
    this.#file.end();
    await finished(this.#file);
  }

  /** Each reason once, with the first that were left out for it. */
  problems(): Problem[] {
    return this.reasons.map(({ count, example, names }) => {
      const more = count - names.length;
      return {
        path: `${names.join(', ')}${more === 0 ? '' : ` and ${more} more`}`,
        message: reasonText(example),
      };
    });
  }
}

/** `task:attempt`, and of several agents which one. */
export function nameOf({ task, attempt, agent }: Omission): string {
  return `${task}:${attempt}${agent === undefined || agent === 'agent' ? '' : ` ${agent}`}`;
}

export function reasonText({ reason, detail }: Omission): string {
  return detail === undefined ? reason : `${reason} (${detail})`;
}
