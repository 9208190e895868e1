import { VfError } from '@vf/core/errors';
import { planRun } from '@vf/run';
import { parseCommandLine } from '../args/parse-args.ts';
import { confirmSize } from '../screen/confirm.ts';
import { printText } from '../json/print.ts';
import { planDocument, planText } from '../screen/plan-text.ts';
import { openSession } from '../session.ts';
import { playAndReport } from '../play.ts';

/** `vf eval [TASKSET] [@ FILE]…` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, {
    booleans: ['dry-run', 'resume', 'json', 'yes', 'verbose', 'quiet'],
    values: ['env-file', 'include'],
    config: true,
  });
  const [taskset, ...rest] = args.positionals;
  if (rest.length > 0)
    throw new VfError('usage/invalid', `one taskset at a time; what is ${rest.join(' ')}?`, {
      hint: 'vf eval TASKSET @ config.toml; flags take their value after a space',
    });
  const session = await openSession(args, { taskset });
  const { config } = session.resolved;
  if (args.booleans.has('resume') && config.runName === null) {
    throw new VfError('usage/invalid', '--resume needs the name of a run', {
      hint: '--run NAME --resume, or vf resume RUN',
    });
  }
  const plan = await planRun(
    {
      ...session,
      config,
      sourceOf: (path) => session.resolved.sourceOf(path),
      keysLater: args.booleans.has('dry-run'),
    },
    new AbortController().signal,
  );
  try {
    if (args.booleans.has('dry-run')) {
      const { resolved } = session;
      if (args.booleans.has('json')) return printText(JSON.stringify(planDocument(plan, resolved)));
      return printText(planText(plan, resolved));
    }
    const isBounded =
      config.numExamples !== null || args.files.length > 0 || args.booleans.has('yes');
    await confirmSize(plan.tasks.length * config.rolloutsPerExample, isBounded);
    return await playAndReport({
      session,
      plan,
      args,
      resume: args.booleans.has('resume') ? 'if-there' : 'never',
    });
  } finally {
    await plan.close();
  }
}
