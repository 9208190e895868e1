import { spawn } from 'node:child_process';

import type { Check } from './checks.ts';
import type { Counts } from './counts.ts';
import { root } from './workspace.ts';

/** Checks that run side by side. */
const width = 2;

interface Outcome {
  readonly passed: boolean;
  readonly output: string;
}

function execute([program, ...args]: Check['command']): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    child.on('error', (error) => resolve({ passed: false, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ passed: code === 0, output }));
  });
}

/** Runs the checks, prints one line for each and the output of those that fail. */
export async function runChecks(checks: readonly Check[]): Promise<Counts> {
  const waiting = [...checks];
  const passed = new Set<string>();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const running = new Map<string, Promise<void>>();

  const start = async (check: Check): Promise<void> => {
    const began = performance.now();
    const outcome = await execute(check.command);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${outcome.passed ? 'passed' : 'FAILED'}  ${check.title} (${seconds} s)`);
    if (outcome.passed) passed.add(check.title);
    else console.log(outcome.output.trimEnd());
    counts[outcome.passed ? 'passed' : 'failed']++;
    running.delete(check.title);
  };

  while (waiting.length > 0 || running.size > 0) {
    const next = waiting.findIndex(({ after }) => after === undefined || passed.has(after));
    const [check] = next >= 0 && running.size < width ? waiting.splice(next, 1) : [];
    if (check !== undefined) running.set(check.title, start(check));
    else if (running.size > 0) await Promise.race(running.values());
    else break;
  }
  for (const { title, after } of waiting) {
    console.log(`skipped ${title}: ${after} did not pass`);
    counts.skipped++;
  }
  return counts;
}
