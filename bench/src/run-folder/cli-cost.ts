import { join, resolve } from 'node:path';
import { costOf, peakOf } from '../start-up/cost.ts';
import type { Cost } from '../start-up/cost.ts';

const root = resolve(import.meta.dirname, '../../..');
const vf = ['--conditions=@vf/source', join(root, 'apps/eval/bin/vf.js')];
const runs = 5;

/** Means of some runs of `vf` from source after a warm one, and the highest resident size of one more, bytes. */
export interface CliCost extends Cost {
  readonly peakBytes: number;
}

export function cliCost(args: readonly string[], cwd: string): CliCost {
  return { ...meanCost([...vf, ...args], cwd), peakBytes: peakOf([...vf, ...args], cwd) };
}

/** @param args of node */
export function meanCost(args: readonly string[], cwd: string): Cost {
  costOf(args, cwd);
  const costs = Array.from({ length: runs }, () => costOf(args, cwd));
  const mean = (part: (cost: Cost) => number): number =>
    costs.reduce((sum, cost) => sum + part(cost), 0) / runs;
  return { wall: mean(({ wall }) => wall), cpu: mean(({ cpu }) => cpu) };
}

export function costText({ wall, cpu, peakBytes }: CliCost): string {
  return `${cpu.toFixed(0)} ms of processor, ${wall.toFixed(0)} ms, peak ${(peakBytes / 1e6).toFixed(0)} MB`;
}
