import type { RunComparison } from '@vf/run/compare';

export type Difference = RunComparison['reward'];

/** A line of the table: a value of both runs. */
export interface ComparedRow {
  readonly name: string;
  readonly level: 'reward' | 'part' | 'metric';
  readonly digits: number;
  readonly value: Difference;
}

/** The reward, its parts, then metrics; those that no task has in both runs are left out. */
export function comparedRows({ reward, rewards, metrics }: RunComparison): ComparedRow[] {
  const { turns, cost, ...own } = metrics;
  const rows: ComparedRow[] = [
    { name: 'reward', level: 'reward', digits: 3, value: reward },
    ...Object.entries(rewards).map(([name, value]) => part(name, value)),
    ...Object.entries(own).map(([name, value]) => metric(name, value, 3)),
  ];
  if (turns !== undefined) rows.push(metric('turns', turns, 1));
  if (cost !== undefined) rows.push(metric('cost $', cost, 4));
  return rows;
}

function part(name: string, value: Difference): ComparedRow {
  return { name, level: 'part', digits: 3, value };
}

function metric(name: string, value: Difference, digits: number): ComparedRow {
  return { name, level: 'metric', digits, value };
}

export function number(value: number | null, digits = 3): string {
  return value === null ? '–' : signless(value, digits);
}

/** `+0.027`, `−0.004`; 0 has no sign. */
export function signed(value: number | null, digits = 3): string {
  if (value === null) return '–';
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return `${value < 0 ? '−' : '+'}${text}`;
}

export function range(interval: readonly [low: number, high: number] | null, digits = 3): string {
  return interval === null
    ? '–'
    : `${signed(interval[0], digits)} … ${signed(interval[1], digits)}`;
}

/** `0.02`, `0.004`, `<0.001`. */
export function pValue(p: number | null): string {
  if (p === null) return '–';
  if (p < 0.001) return '<0.001';
  return p.toFixed(p < 0.01 ? 3 : 2);
}

function signless(value: number, digits: number): string {
  return value < 0 ? signed(value, digits) : value.toFixed(digits);
}
