import type { BoxLabels } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { parseDuration, sweepRuntimes } from '@vf/run';
import { listRuns } from '@vf/store';
import { parseCommandLine } from '../args/parse-args.ts';
import { printDocument } from '../json/print.ts';
import { defaultOutputDir } from '../output-dir.ts';
import { pluginHost } from '../plugin-host.ts';

/** `vf cleanup` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, {
    booleans: ['dry-run', 'json', 'caches'],
    values: ['older-than'],
    explained: {
      'output-dir':
        'leave it out: what killed runs left is known by its labels, wherever their folders are',
    },
    config: false,
  });
  const age = args.values.get('older-than');
  const olderThanMs = age === undefined ? 0 : parseDuration(age);
  if (olderThanMs === null)
    throw new VfError('usage/invalid', `--older-than ${age} is no duration`, {
      hint: '--older-than 2h',
    });
  const dryRun = args.booleans.has('dry-run');
  const swept = await sweepRuntimes(
    pluginHost(process.cwd()),
    { olderThanMs, dryRun, kept: true, caches: args.booleans.has('caches') },
    new AbortController().signal,
  );
  if (args.booleans.has('json')) {
    const runtimes = swept.map(({ runtime, leftovers, problem }) => ({
      runtime,
      leftovers,
      problem: problem?.message ?? null,
    }));
    return printDocument({ dryRun, runtimes });
  }
  const names = new Map(
    (await listRuns(defaultOutputDir()).catch(() => [])).flatMap(({ id, name }) =>
      name === null ? [] : [[id, name] as const],
    ),
  );
  for (const { runtime, leftovers, problem } of swept) {
    for (const { what, labels } of leftovers)
      process.stdout.write(`${runtime}   ${what}   ${whose(labels, names)}\n`);
    if (problem !== null) process.stderr.write(`vf: ${problem.message}   [${problem.code}]\n`);
  }
  const count = swept.reduce((sum, { leftovers }) => sum + leftovers.length, 0);
  process.stdout.write(`${count} ${dryRun ? 'would be removed' : 'removed'}\n`);
  return 0;
}

/** @param names of the runs that lie here, by id */
function whose(labels: BoxLabels, names: ReadonlyMap<string, string>): string {
  if (labels.run === '') return 'kept for later runs';
  const { rollout, pid, host } = labels;
  const name = names.get(labels.run);
  const known = name === undefined ? labels.run : `${name} (${labels.run})`;
  return `run ${known}, rollout ${rollout}, process ${pid} on ${host}`;
}
