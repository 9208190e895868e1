import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import {
  startServices,
  createRun,
  namedRunDir,
  probePlan,
  resumeRun,
  RunSession,
  sweepRuntimes,
} from '@vf/run';
import type { OpenedRun, RunEvent, RunPlan, RunResult } from '@vf/run';
import type { ParsedArgs } from './args/parse-args.ts';
import { versionText } from './help.ts';
import { interruptible } from './interrupt.ts';
import { eventWriter } from './json/event-writer.ts';
import { startScreen } from './screen/screen.ts';
import { stopText } from './screen/stop-text.ts';
import { summaryText } from './screen/summary-text.ts';
import type { CommandSession } from './session.ts';

export interface PlayRequest {
  readonly session: CommandSession;
  readonly plan: RunPlan;
  readonly args: ParsedArgs;
  /** A folder: go on with it. `if-there`: with the named run, if it exists. */
  readonly resume: 'never' | 'if-there' | (string & {});
}

/** Checks the provider, opens the run's folder, plays, and says how it went. @returns the exit code */
export async function playAndReport(request: PlayRequest): Promise<number> {
  const { session, plan, args } = request;
  return interruptible(plan.config.shutdownGrace, async ({ signal, onHardStop }) => {
    await probePlan(plan, session.secrets, signal);
    await sweepRuntimes(session.host, { olderThanMs: 0, dryRun: false }, signal);
    const opened = await openRun(request);
    const services = await startServices(plan, opened);
    const isJson = args.booleans.has('json');
    const screen = startScreen({
      plan,
      run: opened.run,
      dir: opened.writer.dir,
      isQuiet: args.booleans.has('quiet') || isJson,
    });
    const write = isJson ? eventWriter(process.stdout, session.secrets) : null;
    const emit = (event: RunEvent): void => {
      screen.event(event);
      write?.(event);
    };
    try {
      const play = new RunSession({
        plan,
        ...opened,
        ...services,
        secrets: session.secrets,
        emit,
        interrupt: signal,
      });
      onHardStop(() => play.cleanup());
      emit({
        type: 'run.planned',
        run: opened.run.name ?? opened.run.id,
        dir: opened.writer.dir,
        tasks: plan.tasks.length,
        rollouts: plan.tasks.length * plan.config.rolloutsPerExample,
        problems: [],
      });
      screen.watch(() => play.snapshot());
      const result = await play.play();
      screen.stop();
      if (!isJson) await printResult(result);
      return result.exitCode;
    } finally {
      screen.stop();
      await services.close();
      await opened.writer.close();
    }
  });
}

async function openRun({ session, plan, args, resume }: PlayRequest): Promise<OpenedRun> {
  const include = (args.values.get('include') ?? '').split(',').filter((family) => family !== '');
  const unknown = include.filter((family) => !['harness', 'taskset', 'scoring'].includes(family));
  if (unknown.length > 0)
    throw new VfError('usage/invalid', `--include ${unknown.join(',')}: no such family`, {
      hint: '--include harness, taskset or scoring',
    });
  const options = {
    plan,
    resolved: session.resolved,
    secrets: session.secrets,
    version: versionText(),
    cwd: session.cwd,
    include,
  };
  if (resume !== 'never' && resume !== 'if-there') return resumeRun(resume, options);
  const existing = namedRunDir(plan);
  if (existing === null) return createRun(options);
  if (resume === 'if-there') return resumeRun(existing, options);
  throw new VfError(
    'store/exists',
    `there is a run named ${plan.config.runName} already (${existing})`,
    { hint: '--resume goes on with it; --run NAME names another' },
  );
}

async function printResult({ status, reason, summary }: RunResult): Promise<void> {
  const size = await stat(join(summary.dir, 'traces.jsonl')).then(
    (file) => file.size,
    () => null,
  );
  process.stdout.write(`${summaryText(summary, size)}\n`);
  const stopped = stopText(status, reason, summary);
  if (stopped !== null) process.stderr.write(`${stopped}\n`);
}
