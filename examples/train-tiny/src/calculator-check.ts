import type { Trace } from '@vf/core';
import { episodes } from '@vf/store';
import { audit, withLateMask } from './audit.ts';
import type { Audit } from './audit.ts';
import { unlearnt } from './batch.ts';
import { samplesOf } from './samples.ts';
import { startWorker } from './worker.ts';
import type { Training, Workplace } from './training.ts';

/** Name of its run. */
export const calculatorRun = 'calculator';
const attempts = 8;

export interface CalculatorCheck {
  readonly rollouts: number;
  /** Tokens of what the calculator said, over all rollouts, and how many of them the samples train on. */
  readonly spoken: number;
  readonly trained: number;
  readonly audit: Audit;
  /** The same samples with a mask that is one token late. */
  readonly lateMask: Audit;
}

/**
 * Samples with words of the environment in the middle: the model's tokens on both sides agree with the trainer's forward
 * pass, and the words between are not among those that train.
 */
export async function checkCalculator(
  { trainer, weights }: Training,
  place: Workplace,
  seed: number,
  signal: AbortSignal,
): Promise<CalculatorCheck> {
  const run = await played(weights, place, seed, signal);
  const { rows: samples } = await samplesOf([run], signal);
  let spoken = 0;
  let trained = 0;
  for await (const { attempt, traces } of episodes(run, { signal })) {
    const [trace] = traces;
    const sample = samples.find((one) => one.attempt === attempt);
    if (sample === undefined || trace === undefined) continue;
    const { start, end } = calculatorSpan(trace);
    const before = sample.prompt_ids.length;
    const mask = sample.env_mask.slice(start - before, end - before);
    spoken += mask.length;
    trained += mask.filter((bit) => bit === 1).length;
  }
  const recomputed = await trainer.score(samples.map(unlearnt));
  return {
    rollouts: samples.length,
    spoken,
    trained,
    audit: audit(samples, recomputed),
    lateMask: audit(samples.map(withLateMask), recomputed),
  };
}

async function played(
  weights: string,
  { tokenizer, out }: Workplace,
  seed: number,
  signal: AbortSignal,
): Promise<string> {
  await using worker = await startWorker({ weights, tokenizer, out }, signal);
  const play = {
    run: calculatorRun,
    taskset: 'calculator.ts',
    rollouts: attempts,
    seed,
    flags: {},
  };
  return await worker.play(play, signal);
}

/** Where the last user turn stands among the ids of its branch. */
function calculatorSpan({ graph }: Trace): { readonly start: number; readonly end: number } {
  const node = graph.nodes.findLastIndex(({ message }) => message.role === 'user');
  const lengths = graph.pathTo(node).map((at) => graph.nodes[at]?.tokens?.ids.length ?? 0);
  const end = lengths.reduce((sum, length) => sum + length, 0);
  return { start: end - (lengths.at(-1) ?? 0), end };
}
