import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { batchOf } from './batch.ts';
import { collect } from './collect.ts';
import { rewardsOf } from './held-out.ts';
import type { Rewards } from './held-out.ts';
import type { TrainOptions } from './options.ts';
import { samplesOf } from './samples.ts';
import type { Samples } from './samples.ts';
import { stopwatch } from './stopwatch.ts';
import { Trainer } from './trainer.ts';
import { update } from './update.ts';
import type { Update } from './update.ts';
import type { Play } from './worker.ts';

/** Of train.toml: what a token's weight is relative to. */
const longest = 10;
/** Both cores: nothing is collected while it computes. */
const threads = 2;

export interface Step extends Update {
  readonly step: number;
  readonly reward: number;
  /** Each rollout's reward, by sum and attempt. */
  readonly rewards: readonly number[];
  /** Tokens that the model sampled, over a rollout. */
  readonly tokens: number;
  /** Rollouts that gave no sample. */
  readonly leftOut: number;
  readonly wasKilled: boolean;
  readonly seconds: { readonly rollouts: number; readonly update: number };
  /** SHA-256 of the weights after it. */
  readonly weights: string;
}

/** Where a training works, and with what. */
export interface Workplace {
  readonly python: string;
  readonly tokenizer: string;
  readonly out: string;
}

/** A model in training; its weights lie in a file that the engines are started with. */
export class Training implements AsyncDisposable {
  readonly trainer: Trainer;
  readonly weights: string;
  readonly #options: TrainOptions;
  readonly #place: Workplace;
  readonly #signal: AbortSignal;

  private constructor(
    trainer: Trainer,
    options: TrainOptions,
    place: Workplace,
    signal: AbortSignal,
  ) {
    this.trainer = trainer;
    this.weights = join(place.out, 'weights.gguf');
    this.#options = options;
    this.#place = place;
    this.#signal = signal;
  }

  /** The untrained model. */
  static async start(
    options: TrainOptions,
    place: Workplace,
    signal: AbortSignal,
  ): Promise<Training> {
    const { learningRate } = options;
    const trainer = await Trainer.start(place.python, { learningRate, threads }, signal);
    const training = new Training(trainer, options, place, signal);
    await trainer.save(training.weights);
    return training;
  }

  /** Rewards of the weights as they are, on sums that are never trained on. */
  async heldOut(name: string): Promise<Rewards> {
    const { heldOut, heldOutRollouts, seed } = this.#options;
    const flags = { 'taskset.part': 'held-out', 'taskset.size': heldOut };
    const { rows } = await this.#collect(name, heldOutRollouts, seed, flags, null);
    return rewardsOf(rows);
  }

  /** Collects rollouts, audits them, learns from them, and writes the new weights. */
  async step(step: number, isKilled: boolean): Promise<Step> {
    const { sums, group, seed } = this.#options;
    const ownSeed = seed * 1000 + step;
    const flags = { 'taskset.part': 'practice', 'taskset.size': sums, 'taskset.seed': ownSeed };
    const killAfter = isKilled ? Math.max(1, Math.floor((sums * group) / 4)) : null;
    const lap = stopwatch();
    const { rows, leftOut } = await this.#collect(`step-${step}`, group, ownSeed, flags, killAfter);
    const rollouts = lap();
    const updated = await update(this.trainer, rows, batchOf(rows, longest));
    const weights = await this.trainer.save(this.weights);
    const rewards = rows.map(({ reward }) => reward);
    return {
      ...updated,
      step,
      rewards,
      reward: meanOf(rewards),
      tokens: updated.audit.tokens / rows.length,
      leftOut,
      wasKilled: isKilled,
      seconds: { rollouts, update: lap() },
      weights,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.trainer[Symbol.asyncDispose]();
    await rm(this.weights, { force: true });
  }

  async #collect(
    run: string,
    rollouts: number,
    seed: number,
    flags: Play['flags'],
    killAfter: number | null,
  ): Promise<Samples> {
    const { weights } = this;
    const wanted = { ...this.#place, weights, run, rollouts, seed, flags, killAfter };
    return samplesOf(await collect(wanted, this.#signal), this.#signal);
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
