import { VfError } from '@vf/core/errors';
import { createRun, namedRunDir, resumeRun } from '@vf/run';
import type { OpenedRun, RunPlan } from '@vf/run';
import { includable } from './includable.ts';
import type { ParsedArgs } from './args/parse-args.ts';
import { versionText } from './version.ts';
import type { CommandSession } from './session.ts';

export interface PlayRequest {
  readonly session: CommandSession;
  readonly plan: RunPlan;
  readonly args: ParsedArgs;
  /** A folder: go on with it. `if-there`: with the named run, if it exists. */
  readonly resume: 'never' | 'if-there' | (string & {});
}

/** Where a run goes: into a folder that is there, or into a new one (`dir: null`). */
export interface RunTarget {
  readonly dir: string | null;
  open(): Promise<OpenedRun>;
}

/** @throws VfError store/exists, usage/invalid; nothing has been written then */
export function runTarget({ session, plan, args, resume }: PlayRequest): RunTarget {
  const options = {
    plan,
    resolved: session.resolved,
    secrets: session.secrets,
    version: versionText(),
    cwd: session.cwd,
    include: families(args),
    isThorough: args.booleans.has('check'),
  };
  const named = namedRunDir(plan);
  const dir = resume === 'never' || resume === 'if-there' ? named : resume;
  if (resume === 'never' && dir !== null) {
    throw new VfError(
      'store/exists',
      `there is a run named ${plan.config.runName} already (${dir})`,
      { hint: '--resume goes on with it; --run NAME names another' },
    );
  }
  return { dir, open: () => (dir === null ? createRun(options) : resumeRun(dir, options)) };
}

function families({ values }: ParsedArgs): string[] {
  const include = (values.get('include') ?? '').split(',').filter((family) => family !== '');
  const unknown = include.filter((family) => !includable.includes(family));
  if (unknown.length === 0) return include;
  throw new VfError('usage/invalid', `--include ${unknown.join(',')}: no such family`, {
    hint: '--include harness, taskset, scoring or training; several with commas between them',
  });
}
