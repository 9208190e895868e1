import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import type { Estimate, PairedDifference } from '@vf/stats';
import type { Audit } from './audit.ts';
import { estimate, improvement } from './held-out.ts';
import type { TrainOptions } from './options.ts';
import { auditLine, heldOutLine, improvementLine, stepLine, calculatorLines } from './report.ts';
import { checkShiftedIds } from './shifted-ids-check.ts';
import { stopwatch } from './stopwatch.ts';
import { calculatorRun, checkCalculator } from './calculator-check.ts';
import type { CalculatorCheck } from './calculator-check.ts';
import { Training } from './training.ts';
import type { Step, Workplace } from './training.ts';

export interface Results {
  readonly options: TrainOptions;
  readonly heldOut: {
    readonly before: Estimate;
    readonly after: Estimate;
    readonly improvement: PairedDifference;
  };
  readonly steps: readonly Step[];
  readonly calculator: CalculatorCheck;
  readonly shiftedIds: Audit;
  /** Of the second run: are rewards and weights those of the first, step by step? */
  readonly repeated: readonly { readonly rewards: boolean; readonly weights: boolean }[];
  readonly seconds: number;
  /** All that was to be shown was: the reward rose beyond its interval, the audits told right from wrong, the repeat agreed. */
  readonly ok: boolean;
}

/** The whole example; every line that a person should see goes to `say` when it is known. */
export async function runExample(
  options: TrainOptions,
  place: Workplace,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Results> {
  const lap = stopwatch();
  const first = await trained(options, place, say, signal);
  const repeated = await repeat(options, place, first.steps, say, signal);
  const seconds = lap();
  say(`\n${(seconds / 60).toFixed(1)} minutes`);
  const { heldOut, calculator, shiftedIds } = first;
  const ok =
    (heldOut.improvement.difference.interval?.[0] ?? 0) > 0 &&
    calculator.spoken > 0 &&
    calculator.trained === 0 &&
    calculator.audit.ok &&
    !calculator.lateMask.ok &&
    !shiftedIds.ok &&
    repeated.every(({ rewards, weights }) => rewards && weights);
  return { options, ...first, repeated, seconds, ok };
}

async function trained(
  options: TrainOptions,
  place: Workplace,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Pick<Results, 'heldOut' | 'steps' | 'calculator' | 'shiftedIds'>> {
  await using training = await Training.start(options, place, signal);
  const calculator = await checkCalculator(training, place, options.seed, signal);
  for (const line of calculatorLines(calculator)) say(line);
  const shiftedIds = await checkShiftedIds(
    training.trainer,
    join(place.out, calculatorRun),
    signal,
  );
  say(auditLine('ids one place early', shiftedIds));
  say('');
  const before = await training.heldOut('before');
  say(heldOutLine('before', estimate(before)));
  const steps: Step[] = [];
  for (let step = 1; step <= options.steps; step++) {
    steps.push(await training.step(step, step === options.killAt));
    for (const done of steps.slice(-1)) say(stepLine(done));
  }
  const after = await training.heldOut('after');
  say(heldOutLine('after', estimate(after)));
  const risen = improvement(before, after);
  say(improvementLine(risen));
  const heldOut = { before: estimate(before), after: estimate(after), improvement: risen };
  return { heldOut, steps, calculator, shiftedIds };
}

/** The first steps again, nobody killed. */
async function repeat(
  options: TrainOptions,
  place: Workplace,
  steps: readonly Step[],
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Results['repeated']> {
  const again = steps.slice(0, options.repeat);
  if (again.length === 0) return [];
  say('\nonce more from the same seeds, no worker killed:');
  const out = join(place.out, 'again');
  await mkdir(out, { recursive: true });
  await using training = await Training.start(options, { ...place, out }, signal);
  const repeated: { rewards: boolean; weights: boolean }[] = [];
  for (const { step, rewards, weights } of again) {
    const second = await training.step(step, false);
    const same = {
      rewards: second.rewards.join() === rewards.join(),
      weights: second.weights === weights,
    };
    repeated.push(same);
    say(`step ${step}  rewards ${told(same.rewards)}, weights ${told(same.weights)}`);
  }
  return repeated;
}

function told(isSame: boolean): string {
  return isSame ? 'the same' : 'DIFFERENT';
}
