import type { Estimate, PairedDifference } from '@vf/stats';
import type { Audit } from './audit.ts';
import { tolerance } from './audit.ts';
import type { Step } from './training.ts';
import type { CalculatorCheck } from './calculator-check.ts';

const width = 40;

/** A step as one line of the reward curve. */
export function stepLine({
  step,
  reward,
  tokens,
  audit,
  seconds,
  leftOut,
  wasKilled,
}: Step): string {
  const bar = '█'.repeat(Math.round(reward * width)).padEnd(width, '·');
  const times = `${seconds.rollouts.toFixed(0)} s + ${seconds.update.toFixed(0)} s`;
  return [
    `step ${String(step).padStart(2)}  ${bar} ${reward.toFixed(3)}`,
    `${tokens.toFixed(1)} tokens`,
    `audit max ${audit.max.toExponential(1)} mean ${audit.mean.toExponential(1)}`,
    times,
    ...(leftOut > 0 ? [`${leftOut} left out`] : []),
    ...(wasKilled ? ['one worker killed, resumed'] : []),
  ].join('  ');
}

export function heldOutLine(when: string, { mean, interval, n, tasks }: Estimate): string {
  const range = interval === null ? '' : `  [${interval.map((end) => end.toFixed(3)).join(', ')}]`;
  return `held out, ${when.padEnd(6)}  ${(mean ?? Number.NaN).toFixed(3)}${range}  ${n} rollouts at ${tasks} sums`;
}

export function improvementLine({ difference, p }: PairedDifference): string {
  const { mean, interval } = difference;
  const range = interval === null ? '' : `  [${interval.map(signed).join(', ')}]`;
  const chance = p === null ? '' : `  p ${p.toExponential(1)}`;
  return `after − before    ${signed(mean ?? Number.NaN)}${range}, paired by sum${chance}`;
}

export function auditLine(what: string, { ok, samples, tokens, max, mean }: Audit): string {
  const verdict = ok ? 'agrees' : 'REFUSED';
  return `${what}: ${verdict}, ${tokens} tokens of ${samples} samples, max ${max.toExponential(1)}, mean ${mean.toExponential(1)} (tolerance ${tolerance.max}, ${tolerance.mean})`;
}

export function calculatorLines(check: CalculatorCheck): readonly string[] {
  const { rollouts, spoken, trained, audit, lateMask } = check;
  return [
    `a calculator's words in the middle of ${rollouts} samples: ${spoken} tokens, ${trained} of them trained`,
    auditLine('  their audit', audit),
    auditLine('  with a mask one token late', lateMask),
  ];
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
