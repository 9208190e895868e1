import { createHash } from 'node:crypto';
import { defineTaskset, z } from '@vf/core';

/** Of the hundred sums of two digits. */
const heldOutCount = 30;

/**
 * Sums of two digits. `practice`: `size` of those that may be trained on, others with each seed. `held-out`: `size` of
 * those that never are. Of `shards` workers each plays its share.
 */
export default defineTaskset({
  config: z.object({
    part: z.enum(['practice', 'held-out']),
    size: z.number().int().positive(),
    seed: z.number().int().default(0),
    shard: z.number().int().nonnegative().default(0),
    shards: z.number().int().positive().default(1),
  }),
  data: z.object({ answer: z.number().int() }),
  load: ({ config: { part, size, seed, shard, shards } }) =>
    (part === 'held-out' ? heldOut : shuffled(practice, `step ${seed}`))
      .slice(0, size)
      .filter((_, at) => at % shards === shard)
      .map(([a, b]) => ({
        key: `${part} ${a}+${b}`,
        prompt: `What is ${a} + ${b}?`,
        answer: a + b,
      })),
  rewards: {
    right: ({ task, trace }) => Number(lastNumber(trace.lastReply) === String(task.answer)),
  },
});

type Sum = readonly [a: number, b: number];

const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const all = shuffled(
  digits.flatMap((a) => digits.map((b): Sum => [a, b])),
  'split',
);
const heldOut = all.slice(0, heldOutCount);
const practice = all.slice(heldOutCount);

/** The same order for the same seed, on every machine. */
function shuffled(sums: readonly Sum[], seed: string): readonly Sum[] {
  const place = ([a, b]: Sum): string =>
    createHash('sha256').update(`${seed}: ${a} + ${b}`).digest('hex');
  return sums.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

function lastNumber(reply: string | null): string | undefined {
  return reply?.match(/-?\d+/g)?.at(-1);
}
