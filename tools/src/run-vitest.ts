import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { type Counts, parseCounts } from './counts.ts';
import { root } from './workspace.ts';

/**
 * Runs all tests and passes their output on, but for the line with the counts. A run that fails
 * without a failed test (it crashed) counts as one failure.
 */
export async function runVitest(): Promise<Counts> {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  const child = spawn('vitest', ['run'], {
    cwd: root,
    env: { ...process.env, ...color },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = new Promise<number | null>((resolve) => {
    child.on('error', () => resolve(null));
    child.on('close', resolve);
  });
  let counts: Counts | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const found = parseCounts(line);
    if (found === undefined) console.log(line);
    else counts = found;
  }
  const failsForSkips = process.env['CI'] === 'true' && (counts?.skipped ?? 0) > 0;
  const crashed = (await exit) !== 0 && counts?.failed === 0 && !failsForSkips;
  if (counts === undefined || crashed) {
    console.log('vitest did not finish');
    return { passed: 0, skipped: 0, ...counts, failed: 1 };
  }
  return counts;
}
