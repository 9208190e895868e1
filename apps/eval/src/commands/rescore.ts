import { basename, join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { createRun, namedRunDir, needsBoxToScore, planRun, rescoreRun } from '@vf/run';
import type { RunPlan } from '@vf/run';
import { findRun } from '@vf/store';
import { parseCommandLine } from '../args/parse-args.ts';
import { interruptible } from '../interrupt.ts';
import { outputDir } from '../output-dir.ts';
import { readParent, requireTasks } from '../parent-run.ts';
import { refuseElsewhere } from '../refuse-elsewhere.ts';
import { tellUnread } from '../show/tell-unread.ts';
import { stopText } from '../screen/stop-text.ts';
import { summaryText } from '../screen/summary-text.ts';
import { openSession } from '../session.ts';
import { versionText } from '../version.ts';
import { playAnew, typedRun } from '../typed.ts';

/** `vf rescore RUN` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, { booleans: ['json'], values: ['env-file'], config: true });
  const [ref, ...rest] = args.positionals;
  if (ref === undefined || rest.length > 0)
    throw new VfError('usage/invalid', 'which run?', {
      hint: 'vf rescore RUN; vf show lists them',
    });
  const parentDir = await findRun(outputDir(args), ref);
  await refuseElsewhere(parentDir);
  await tellUnread(parentDir);
  const parent = await readParent(parentDir);
  const session = await openSession(args, {
    files: [join(parentDir, 'config.toml')],
    flags: parent.flags,
  });
  const { resolved, secrets, cwd } = session;
  const { config } = resolved;
  return interruptible(config.shutdownGrace, async ({ signal }) => {
    const sourceOf = (path: string): string | null => resolved.sourceOf(path);
    const plan = await planRun(
      { ...session, config, sourceOf, asksModel: false, onlyTasks: parent.tasks },
      signal,
    );
    requireTasks(parent, plan, resolved);
    refuseBoxScores(plan, parentDir);
    refuseExisting(plan);
    const about = { version: versionText(), cwd, include: [], parentDir };
    const opened = await createRun({ plan, resolved, secrets, ...about });
    try {
      const result = await rescoreRun({ parentDir, plan, opened, secrets }, signal);
      const { summary, exitCode } = result;
      const text = args.booleans.has('json')
        ? JSON.stringify(summary)
        : summaryText(summary, null, parent.name);
      process.stdout.write(`${text}\n`);
      const stopped = stopText(result, `vf rescore ${typedRun(parentDir, basename(parentDir))}`);
      if (stopped !== null) process.stderr.write(`${stopped}\n`);
      return exitCode;
    } finally {
      await opened.writer.close();
      await plan.close();
    }
  });
}

/** Their box is gone: a new run would have no score at all. */
function refuseBoxScores({ episode: { taskset } }: RunPlan, parentDir: string): void {
  if (!needsBoxToScore(taskset)) return;
  const parent = typedRun(parentDir, basename(parentDir));
  throw new VfError(
    'usage/invalid',
    `rewards of taskset ${taskset.name} look into the box, which is gone: stored traces cannot be scored again`,
    {
      hint: `vf resume ${parent} --include scoring plays again what has no score; ${playAnew(parentDir)} plays all again`,
    },
  );
}

function refuseExisting(plan: RunPlan): void {
  const dir = namedRunDir(plan);
  if (dir === null) return;
  const { runName } = plan.config;
  throw new VfError('store/exists', `there is a run named ${runName} already (${dir})`, {
    hint: `--run NAME names another; a rescored run that lacks rollouts goes on with vf resume ${typedRun(dir, runName ?? '')}`,
  });
}
