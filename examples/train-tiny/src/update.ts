import { audit } from './audit.ts';
import type { Audit } from './audit.ts';
import type { Batch } from './batch.ts';
import { isLearnt } from './batch.ts';
import type { RowLogprobs, Trainer } from './trainer.ts';

/** What an update did. */
export interface Update {
  readonly audit: Audit;
  readonly rows: number;
  /** Rows with an advantage; the others are scored for the audit alone. */
  readonly learnt: number;
  /** Of the gradient; null when there was nothing to learn. */
  readonly norm: number | null;
}

/**
 * One update of the weights. The gradient's own forward pass is what is compared with the engine's logprobs; the weights
 * move only if every sample agrees.
 * @throws Error when one does not
 */
export async function update(
  trainer: Trainer,
  samples: Parameters<typeof audit>[0],
  { rows, rowOf }: Batch,
): Promise<Update> {
  const learnt = rows.filter(isLearnt);
  const others = rows.filter((row) => !isLearnt(row));
  const logprobs = await trainer.learn(learnt);
  const scored = await trainer.score(others);
  const again = new Map([...pairs(learnt, logprobs), ...pairs(others, scored)]);
  const checked = audit(
    samples,
    rowOf.map((at) => again.get(rows[at]) ?? []),
  );
  if (!checked.ok)
    throw new Error(`the audit failed, nothing was learnt: ${JSON.stringify(checked)}`);
  const norm = learnt.length === 0 ? null : await trainer.step();
  return { audit: checked, rows: rows.length, learnt: learnt.length, norm };
}

function pairs<Row>(
  rows: readonly Row[],
  logprobs: RowLogprobs,
): [Row | undefined, readonly number[]][] {
  return rows.map((row, at) => [row, logprobs[at] ?? []]);
}
