import { basename, join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { findRun } from '@vf/store';
import { planRun } from '@vf/run';
import { parseCommandLine } from '../args/parse-args.ts';
import { playAndReport } from '../play.ts';
import { outputDir } from '../output-dir.ts';
import { openSession } from '../session.ts';
import { loadAbout } from '../show/load-summary.ts';
import { typedRun } from '../typed.ts';

/** `vf resume RUN` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, {
    booleans: ['check', 'json', 'yes', 'verbose', 'quiet'],
    values: ['env-file', 'include'],
    explained: {
      'dry-run':
        'resume has no --dry-run: vf show RUN tells what is missing, vf eval @ FOLDER/config.toml --dry-run shows the plan',
    },
    config: true,
  });
  const [ref, ...rest] = args.positionals;
  if (ref === undefined || rest.length > 0)
    throw new VfError('usage/invalid', 'which run?', { hint: 'vf resume RUN; vf show lists them' });
  const dir = await findRun(outputDir(args), ref);
  await refuseElsewhere(dir);
  const session = await openSession(args, { files: [join(dir, 'config.toml')] });
  const { config } = session.resolved;
  const plan = await planRun(
    { ...session, config, sourceOf: (path) => session.resolved.sourceOf(path) },
    new AbortController().signal,
  );
  try {
    return await playAndReport({ session, plan, args, resume: dir });
  } finally {
    await plan.close();
  }
}

/** Its config names no taskset: nothing here could play it. */
async function refuseElsewhere(dir: string): Promise<void> {
  if ((await loadAbout(dir)).elsewhere !== true) return;
  const name = typedRun(dir, basename(dir));
  throw new VfError('usage/invalid', `${name} was played by a program of its own, not by vf`, {
    hint: `play it again there, into a new folder; vf show, vf compare and vf export take ${name} as it is`,
  });
}
