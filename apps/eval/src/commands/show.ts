import { VfError } from '@vf/core/errors';
import { findRun } from '@vf/store';
import { parseCommandLine } from '../args/parse-args.ts';
import type { ParsedArgs } from '../args/parse-args.ts';
import { outputDir } from '../output-dir.ts';
import { printDocument, printText } from '../json/print.ts';

/** `vf show [RUN] [EPISODE]` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, {
    booleans: ['errors', 'follow', 'full', 'raw', 'json'],
    values: ['where', 'by', 'branch', 'call', 'output-dir'],
    config: false,
  });
  const [ref, episode, ...rest] = args.positionals;
  if (rest.length > 0)
    throw new VfError('usage/invalid', `one episode at a time; what is ${rest.join(' ')}?`, {
      hint: `vf show ${ref} ${episode}; a --where with spaces stands in quotes`,
    });
  const folder = outputDir(args);
  if (ref === undefined) return showRuns(folder, args);
  const dir = await findRun(folder, ref);
  // Each view loads its own part alone.
  if (episode === undefined) return (await import('../show/show-run.ts')).showRun(dir, args);
  return (await import('../show/show-episode.ts')).showEpisode(dir, episode, args);
}

async function showRuns(folder: string, args: ParsedArgs): Promise<number> {
  const { runRows, runsText } = await import('../show/runs.ts');
  const rows = await runRows(folder);
  if (args.booleans.has('json')) return printDocument({ runs: rows });
  if (rows.length === 0) {
    process.stderr.write(
      `no run in ${folder}; vf eval starts one, --output-dir names another folder\n`,
    );
    return 0;
  }
  return printText(runsText(rows, Date.now() / 1000));
}
