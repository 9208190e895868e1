import { VfError } from '@vf/core/errors';
import { findRun } from '@vf/store';
import { parseCommandLine } from '../args/parse-args.ts';
import type { ParsedArgs } from '../args/parse-args.ts';
import { shellWord } from '../typed.ts';
import { outputDir } from '../output-dir.ts';
import { tellUnread } from '../show/tell-unread.ts';
import { asName } from '../screen/one-line.ts';
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
  const wants = ref === undefined ? 'runs' : episode === undefined ? 'run' : 'episode';
  refuseIdle(args, wants, ref ?? 'RUN');
  if (ref !== undefined && episode !== undefined) refuseParts(args, `vf show ${ref} ${episode}`);
  const folder = outputDir(args);
  if (ref === undefined) return showRuns(folder, args);
  const dir = await findRun(folder, ref);
  await tellUnread(dir);
  // Each view loads its own part alone.
  if (episode === undefined) return (await import('../show/show-run.ts')).showRun(dir, args);
  return (await import('../show/show-episode.ts')).showEpisode(dir, episode, args);
}

/** Flags of each view; `json` and `output-dir` are every view's. */
const flagsOf = {
  runs: [],
  run: ['errors', 'where', 'by', 'follow'],
  episode: ['branch', 'call', 'full', 'raw'],
} as const;

/** A flag that a view would not heed is refused: what it prints would be taken for what was asked. */
function refuseIdle(
  { booleans, values }: ParsedArgs,
  view: keyof typeof flagsOf,
  named: string,
): void {
  for (const flag of [...flagsOf.run, ...flagsOf.episode]) {
    const heeded: readonly string[] = flagsOf[view];
    if (heeded.includes(flag) || !(booleans.has(flag) || values.has(flag))) continue;
    const value = values.get(flag);
    const typed = value === undefined ? `--${flag}` : `--${flag} ${shellWord(value)}`;
    const isOfRun = flagsOf.run.some((one) => one === flag);
    throw new VfError(
      'usage/invalid',
      isOfRun && view === 'episode'
        ? `--${flag} is for a whole run; an episode was named`
        : `--${flag} of which ${isOfRun ? 'run' : 'episode'}?`,
      {
        hint: `vf show ${named} ${isOfRun ? '' : 'EPISODE '}${typed}${named === 'RUN' ? '; vf show lists the runs' : ''}`,
      },
    );
  }
}

/** A record is printed whole: who asked for one call of it would read the first as that one. */
function refuseParts({ booleans, values }: ParsedArgs, typed: string): void {
  const part = (['branch', 'call'] as const).find((flag) => values.has(flag));
  const wholes = part === 'call' ? (['raw'] as const) : (['json', 'raw'] as const);
  const whole = wholes.find((flag) => booleans.has(flag));
  if (whole === undefined || part === undefined) return;
  const picked = `--${part} ${shellWord(values.get(part) ?? '')}`;
  throw new VfError(
    'usage/invalid',
    `--${whole} prints the whole episode; --${part} picks a part`,
    {
      hint: `${typed} --${whole}   or   ${typed} ${picked} --full`,
    },
  );
}

async function showRuns(folder: string, args: ParsedArgs): Promise<number> {
  const { runRows, runsText } = await import('../show/runs.ts');
  const rows = await runRows(folder);
  if (args.booleans.has('json')) return printDocument({ runs: rows });
  if (rows.length === 0) {
    process.stderr.write(
      `no run in ${asName(folder)}; vf eval starts one, --output-dir names another folder\n`,
    );
    return 0;
  }
  return printText(runsText(rows, Date.now() / 1000));
}
