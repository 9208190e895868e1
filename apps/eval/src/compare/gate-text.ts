import type { DropGate } from '@vf/run/compare';
import { number } from './figures.ts';

/** Why the gate failed, in the style of an error. */
export function gateText(gate: DropGate, runs: readonly [a: string, b: string]): string {
  const [a, b] = runs;
  const fix =
    gate.drop === null
      ? `vf show ${a} --errors and vf show ${b} --errors list what has no score`
      : `vf compare ${a} ${b} --flips lists the tasks that changed`;
  return `vf: ${gateReason(gate)}\n  fix: ${fix}`;
}

export function gateReason({ drop, interval, maxDrop, strict }: DropGate): string {
  if (drop === null) return 'no task has a score in both runs, so nothing is shown about a drop';
  const ends = interval === null ? '–' : `${number(interval[0])} … ${number(interval[1])}`;
  const change = drop < 0 ? `rose by ${number(-drop)}` : `dropped by ${number(drop)}`;
  const of = `reward ${change} (drop: 95 % interval ${ends})`;
  return strict
    ? `${of}; --strict wants all of it within ${maxDrop}`
    : `${of}, wholly beyond --max-drop ${maxDrop}`;
}
