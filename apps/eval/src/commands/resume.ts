import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { findRun } from '@vf/store';
import { planRun } from '@vf/run';
import { parseCommandLine } from '../args/parse-args.ts';
import { playAndReport } from '../play.ts';
import { outputDir } from '../output-dir.ts';
import { refuseElsewhere } from '../refuse-elsewhere.ts';
import { openSession } from '../session.ts';

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
  // Its config names no taskset.
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
