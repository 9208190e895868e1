import type { IndexEntry } from '@vf/store';
import { fingerprint } from './fingerprint.ts';

/** Unscored rollouts that failed alike. */
export interface ErrorGroup {
  readonly code: string;
  readonly fingerprint: string;
  readonly phases: Readonly<Record<string, number>>;
  /** Where the author's own code threw, `file:line:column`; null when that is not known. */
  readonly at: string | null;
  readonly count: number;
  readonly example: IndexEntry;
  /** Messages of the group that say something else than the example's, the first few. */
  readonly others: readonly string[];
}

/** How many rollouts were looked at, and how many of them have no score, with an error or without. */
export interface ErrorTotals {
  readonly rollouts: number;
  readonly unscored: number;
}

interface Collected {
  readonly code: string;
  readonly phase: string;
  readonly at: string | null;
  readonly example: IndexEntry;
  count: number;
  /** Fingerprint and first message of each thing said. */
  readonly said: Map<string, string>;
}

/**
 * By code, stage, hook, and the place that threw; where no place is known, by what the message says. The largest
 * first.
 */
export class ErrorGroups {
  readonly #groups = new Map<string, Collected>();
  #rollouts = 0;
  #unscored = 0;

  get totals(): ErrorTotals {
    return { rollouts: this.#rollouts, unscored: this.#unscored };
  }

  add(entry: IndexEntry): void {
    this.#rollouts++;
    if (entry.reward === null) this.#unscored++;
    if (entry.error === null) return;
    const { code, message, phase = 'unknown', at = null } = entry.error;
    const print = fingerprint(message);
    const key = [code, phase, hookOf(message), at ?? print].join('\0');
    const known = this.#groups.get(key);
    const group = known ?? { code, phase, at, example: entry, count: 0, said: new Map() };
    group.count++;
    if (group.said.size < mostSaid && !group.said.has(print)) group.said.set(print, message);
    this.#groups.set(key, group);
  }

  list(): ErrorGroup[] {
    return [...this.#groups.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ code, phase, at, count, example, said }) => ({
        code,
        fingerprint: [...said.keys()][0] ?? '',
        phases: { [phase]: count },
        at,
        count,
        example,
        others: [...said.values()].slice(1),
      }));
  }
}

const mostSaid = 3;

/** `reward exact`, as the messages of scorers begin. */
function hookOf(message: string): string {
  return /^(?:group reward|reward|metric) [^:]+(?=: )/.exec(message)?.[0] ?? '';
}
