import type { IndexEntry } from '@vf/store';
import { fingerprint } from './fingerprint.ts';

/** Unscored rollouts that failed alike. */
export interface ErrorGroup {
  readonly code: string;
  readonly fingerprint: string;
  readonly phases: Readonly<Record<string, number>>;
  readonly count: number;
  readonly example: IndexEntry;
}

/** By code, then by what the message says; the largest first. */
export class ErrorGroups {
  readonly #groups = new Map<
    string,
    { count: number; phases: Record<string, number>; example: IndexEntry; print: string }
  >();

  add(entry: IndexEntry): void {
    if (entry.error === null) return;
    const { code, message, phase = 'unknown' } = entry.error;
    const print = fingerprint(message);
    const key = `${code}\0${print}`;
    const group = this.#groups.get(key) ?? { count: 0, phases: {}, example: entry, print };
    group.count++;
    group.phases[phase] = (group.phases[phase] ?? 0) + 1;
    this.#groups.set(key, group);
  }

  list(): ErrorGroup[] {
    return [...this.#groups.values()]
      .sort((a, b) => b.count - a.count)
      .map(({ count, phases, example, print }) => ({
        code: example.error?.code ?? '',
        fingerprint: print,
        phases,
        count,
        example,
      }));
  }
}
