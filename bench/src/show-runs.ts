import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLongTrace } from './run-folder/long-trace.ts';
import { cliCost, costText, meanCost } from './run-folder/cli-cost.ts';
import { writeSyntheticRun } from './run-folder/synthetic-run.ts';

/**
 * `vf show` from the source tree: the summary of 10,000 episodes against an empty Node program; summary, episodes by
 * `--where` and one episode of 100,000 through the index; a trace of 100 MB.
 */
const dir = await mkdtemp(join(tmpdir(), 'vf-bench-'));
const outputs = join(dir, 'outputs/synthetic');
const shares = { harness: 'codex', scored: 0.99, solved: 0.6 };

async function written(runId: string, tasks: number, attempts: number, hasSummary: boolean) {
  await writeSyntheticRun({
    dir: join(outputs, runId),
    runId,
    tasks,
    attempts,
    hasSummary,
    ...shares,
  });
}

await written('ten', 2_500, 4, true);
await written('hundred', 25_000, 4, false);
await writeLongTrace(join(outputs, 'long'), 'long', 100e6);
const empty = join(dir, 'empty.mjs');
await writeFile(empty, '');

const bare = meanCost([empty], dir);
const ten = cliCost(['show', 'ten'], dir);
console.log(`summary of 10,000: ${costText(ten)}`);
console.log(
  `  ${(ten.cpu / bare.cpu).toFixed(1)} x processor, ${(ten.wall / bare.wall).toFixed(1)} x clock of an empty program (at most 6)`,
);
const views: readonly (readonly [what: string, limit: string, args: readonly string[]])[] = [
  ['summary of 100,000 without summary.json', 'at most 3 s', ['hundred']],
  ['episodes of 100,000', 'at most 1 s', ['hundred', '--where', 'reward<1 turns>3']],
  ['one of 100,000', 'at most 1 s', ['hundred', 'task-024000:2']],
  ['failures of 100,000', '', ['hundred', '--errors']],
  ['a trace of 100 MB', '', ['long', 'long:1']],
];
for (const [what, limit, args] of views)
  console.log(
    `${what}: ${costText(cliCost(['show', ...args], dir))}${limit === '' ? '' : ` (${limit})`}`,
  );
await rm(dir, { recursive: true });
