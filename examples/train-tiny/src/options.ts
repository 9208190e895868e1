import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';

/** Sizes and seeds of a training. Everything that is sampled follows from `seed`. */
export interface TrainOptions {
  readonly steps: number;
  /** Sums of a step. */
  readonly sums: number;
  /** Rollouts at each sum: the group whose rewards are compared. */
  readonly group: number;
  /** Sums that are never trained on, and rollouts at each of them before and after. */
  readonly heldOut: number;
  readonly heldOutRollouts: number;
  readonly learningRate: number;
  readonly seed: number;
  /** The step whose first worker is killed in the middle; 0: none. */
  readonly killAt: number;
  /** Steps that are played a second time from the same seeds. */
  readonly repeat: number;
  /** Folder for runs, weights and results. */
  readonly out: string;
}

export const defaults: TrainOptions = {
  steps: 6,
  sums: 6,
  group: 8,
  heldOut: 30,
  heldOutRollouts: 2,
  learningRate: 5e-5,
  seed: 1,
  killAt: 2,
  repeat: 2,
  out: 'outputs/train-tiny',
};

export const help = `Trains SmolLM2-135M on one-digit sums with GRPO, on the CPU.

  --steps N --sums N --group N              updates, sums of each, rollouts at each sum
  --held-out N --held-out-rollouts N        sums that are never trained on, rollouts at each
  --learning-rate X --seed N
  --kill-at N                               step in which a worker is killed; 0: none
  --repeat N                                steps that are played again from the same seeds
  --out FOLDER
`;

/** @throws TypeError, RangeError for an option that is not known or no number that it can be */
export function parseOptions(args: readonly string[]): TrainOptions | 'help' {
  const names = Object.keys(defaults) as (keyof TrainOptions)[];
  const flags = names.map((name) => [kebab(name), { type: 'string' }] as const);
  const known: ParseArgsOptionsConfig = {
    ...Object.fromEntries(flags),
    help: { type: 'boolean', short: 'h' },
  };
  const values: Readonly<Record<string, unknown>> = parseArgs({
    args: [...args],
    options: known,
  }).values;
  if (values['help'] === true) return 'help';
  const given = names.flatMap((name) => {
    const value = values[kebab(name)];
    if (typeof value !== 'string') return [];
    return [[name, name === 'out' ? value : numberOf(name, value)] as const];
  });
  return { ...defaults, ...Object.fromEntries(given) };
}

/** Without one of each there is nothing to train on, or to compare. */
const counted: ReadonlySet<string> = new Set(['sums', 'group', 'heldOut', 'heldOutRollouts']);

function numberOf(name: string, text: string): number {
  const value = Number(text);
  const least = counted.has(name) ? 1 : 0;
  const isWhole = Number.isSafeInteger(value) || name === 'learningRate';
  if (text.trim() !== '' && Number.isFinite(value) && isWhole && value >= least) return value;
  const kind = name === 'learningRate' ? 'a number' : `a whole number from ${least} on`;
  throw new RangeError(`--${kebab(name)} takes ${kind}, not ${text}`);
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
