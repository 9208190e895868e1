import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cliCost, costText } from './run-folder/cli-cost.ts';
import { writeSyntheticRun } from './run-folder/synthetic-run.ts';

/** `vf compare` of two runs over 12,500 tasks, at rising numbers of attempts: time, and memory that must not follow. */
const tasks = 12_500;
const limits = { seconds: 3, growth: 1.3 };
const dir = await mkdtemp(join(tmpdir(), 'vf-bench-'));

let first = 0;
for (const attempts of [1, 2, 4, 8]) {
  const names = await Promise.all(
    ['a', 'b'].map(async (letter) => {
      const runId = `${letter}${attempts}`;
      const folder = join(dir, 'outputs/synthetic', runId);
      const harness = letter === 'a' ? 'codex' : 'claude-code';
      const shares = { scored: 0.99, solved: 0.6 };
      await writeSyntheticRun({
        dir: folder,
        runId,
        tasks,
        attempts,
        harness,
        ...shares,
        hasSummary: false,
      });
      return runId;
    }),
  );
  const cost = cliCost(['compare', ...names], dir);
  first ||= cost.peakBytes;
  const size = (tasks * attempts).toLocaleString('en');
  console.log(
    `2 × ${size} episodes: ${costText(cost)}, ${(cost.peakBytes / first).toFixed(2)} x the memory of one attempt`,
  );
}
console.log(`at most ${limits.seconds} s at 100,000, and ${limits.growth} x the memory`);
await rm(dir, { recursive: true });
