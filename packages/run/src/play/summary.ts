import { truncatingStops } from '@vf/core/trace';
import { summarize } from '@vf/stats';
import type { Estimate, Summary, Tally } from '@vf/stats';
import type { IndexEntry } from '@vf/store';
import type { RunAbout } from '../plan/about.ts';
import { knownCost } from './known-cost.ts';

/** What the table at the end shows, and `summary.json` holds under snake_case names. Fields are only ever added within a `v`. */
export interface RunSummary extends RunAbout {
  readonly v: 2;
  readonly run: string;
  readonly dir: string;
  /** `killed`: its process ended without a summary. */
  readonly status: 'running' | 'complete' | 'incomplete' | 'stopped' | 'interrupted' | 'killed';
  /** Those with rollouts under way, over all sessions; of the last session all. */
  readonly seconds: number;
  /** Of them the last session's, where others came before it. */
  readonly sessionSeconds?: number;
  readonly figures: Summary;
  readonly weights: Readonly<Record<string, number>>;
  readonly turns: Estimate | null;
  readonly errors: Readonly<Record<string, number>>;
  readonly stops: Readonly<Record<string, number>>;
  /** Rollouts that were cut short, by what: a stop, or `max_tokens` for a last reply that ran into its limit. */
  readonly truncated?: Readonly<Record<string, number>>;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** US dollars of the rollouts whose cost is known; null when none is. */
  readonly cost: number | null;
  readonly unpriced: number;
  readonly retries: number;
  /** The budget that stopped the last session. */
  readonly usedUp?: 'cost' | 'tokens' | 'time';
  /** What a gate of the config found wrong: the exit code is 5, or 3 for `max_unscored`. */
  readonly gateFailed?: string;
}

/** Sums and counts over finished episodes that the statistics do not keep; constant time per episode. */
export class Ledger {
  readonly errors: Record<string, number> = {};
  readonly stops: Record<string, number> = {};
  readonly truncated: Record<string, number> = {};
  readonly weights: Record<string, number> = {};
  inputTokens = 0;
  cachedInputTokens = 0;
  outputTokens = 0;
  cost = 0;
  priced = 0;
  unpriced = 0;
  retries = 0;

  add(entry: IndexEntry): void {
    if (entry.error !== null) increment(this.errors, entry.error.code);
    if (entry.stop !== null) increment(this.stops, entry.stop);
    if (entry.isTruncated) increment(this.truncated, cutBy(entry));
    Object.assign(this.weights, entry.weights);
    this.inputTokens += entry.inputTokens;
    this.cachedInputTokens += entry.cachedInputTokens;
    this.outputTokens += entry.outputTokens;
    this.retries += entry.retries;
    if (entry.cost === null) this.unpriced++;
    else {
      this.priced++;
      this.cost += entry.cost;
    }
  }
}

function cutBy({ stop }: IndexEntry): string {
  return stop !== null && truncatingStops.has(stop) ? stop : 'max_tokens';
}

function increment(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

/** The figures of a run from its tally and ledger. `turns` is a metric of the tally under its own name. */
export function runSummary(
  about: RunAbout & Pick<RunSummary, 'run' | 'dir' | 'status' | 'seconds' | 'sessionSeconds'>,
  tally: Tally,
  ledger: Ledger,
): RunSummary {
  const { metrics, ...figures } = summarize(tally, ledger.weights);
  const { turns, ...own } = metrics;
  const { cost, priced, unpriced } = ledger;
  return {
    v: 2,
    ...about,
    figures: { ...figures, metrics: own },
    turns: turns ?? null,
    weights: ledger.weights,
    errors: ledger.errors,
    stops: ledger.stops,
    truncated: ledger.truncated,
    inputTokens: ledger.inputTokens,
    cachedInputTokens: ledger.cachedInputTokens,
    outputTokens: ledger.outputTokens,
    cost: priced === 0 ? null : knownCost(cost, unpriced),
    unpriced,
    retries: ledger.retries,
  };
}
