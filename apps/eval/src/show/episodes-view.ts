import { readEpisodeLine } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import { formatCost, formatScore, formatSeconds } from '../screen/format.ts';
import { asName, cut } from '../screen/one-line.ts';
import { alignRows } from '../screen/table.ts';
import { entryMatcher, lineMatcher } from '../where/matches.ts';
import type { Term } from '../where/parse-where.ts';

/** The entries that meet every term; texts are looked for in the stored episodes, last. */
export async function* entriesWhere(
  dir: string,
  terms: readonly Term[],
  batches: AsyncIterable<readonly IndexEntry[]>,
): AsyncGenerator<readonly IndexEntry[], void> {
  const isMatch = entryMatcher(terms);
  const hasTexts = lineMatcher(terms);
  for await (const entries of batches) {
    const found = terms.length === 0 ? entries : entries.filter(isMatch);
    if (hasTexts === null) yield found;
    else {
      const kept: IndexEntry[] = [];
      for (const entry of found) if (hasTexts(await readEpisodeLine(dir, entry))) kept.push(entry);
      yield kept;
    }
  }
}

const longestKey = 200;

/** A line per episode. */
export function episodesText(entries: readonly IndexEntry[]): string {
  const rows = entries.map((entry) => [
    cut(asName(`${entry.task}:${entry.attempt}`), longestKey),
    formatScore(entry.reward),
    entry.error?.code ?? entry.stop ?? '',
    String(entry.turns),
    formatSeconds(Math.max(0, entry.end - entry.start)),
    formatCost(entry.cost),
  ]);
  const head = ['EPISODE', 'REWARD', 'ENDED', 'TURNS', 'TIME', 'COST'];
  return alignRows([head, ...rows], new Set([1, 3, 4, 5])).join('\n');
}
