import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  RunSession,
  askedUrls,
  probePlan,
  sourceRevision,
  startServices,
  sweepPlan,
} from '@vf/run';
import type { OpenedRun, RunEvent, RunResult } from '@vf/run';
import { keptText, removeHard, sweepTeller, tellRemoval } from './box-removal.ts';
import { interruptible } from './interrupt.ts';
import type { Interruptible } from './interrupt.ts';
import { eventWriter } from './json/event-writer.ts';
import { mask } from './masking.ts';
import { runTarget } from './open-target.ts';
import type { PlayRequest, RunTarget } from './open-target.ts';
import { refuseElsewhere } from './refuse-elsewhere.ts';
import { formatPath } from './screen/format.ts';
import { asName } from './screen/one-line.ts';
import { chooseDisplay, runTitle, startScreen } from './screen/start-screen.ts';
import type { Screen } from './screen/screen.ts';
import { hardStopText, stopText } from './screen/stop-text.ts';
import { summaryText } from './screen/summary-text.ts';
import { tellSlow } from './tell-slow.ts';

/** Checks the provider, opens the run's folder, plays, and says how it went. @returns the exit code */
export async function playAndReport(request: PlayRequest): Promise<number> {
  const target = runTarget(request);
  if (target.dir !== null) await refuseElsewhere(target.dir);
  return interruptible(request.plan.config.shutdownGrace, async (interrupt) => {
    const opened = await openChecked(request, target, interrupt.signal);
    try {
      return await playOpened(request, opened, interrupt);
    } finally {
      await opened.writer.close();
    }
  });
}

/** A provider that cannot work is found before a folder is made; a run with nothing left to play asks nobody. */
async function openChecked(
  { session, plan }: PlayRequest,
  target: RunTarget,
  signal: AbortSignal,
): Promise<OpenedRun> {
  const check = (): Promise<void> =>
    tellSlow(probePlan(plan, session.secrets, signal), () =>
      process.stderr.write(mask(`vf: waiting for ${askedUrls(plan).join(', ')} to answer …\n`)),
    );
  void sourceRevision(session.cwd);
  const teller = sweepTeller((text) => process.stderr.write(`vf: ${text}\n`));
  const sweep = sweepPlan(plan, signal, teller.begun).finally(teller.end);
  await Promise.all([sweep, target.dir === null ? check() : null]);
  const opened = await target.open();
  const isWhole = opened.done.length === plan.tasks.length * plan.config.rolloutsPerExample;
  if (target.dir === null || isWhole) return opened;
  try {
    await check();
    return opened;
  } catch (error) {
    await opened.writer.close();
    throw error;
  }
}

async function playOpened(
  request: PlayRequest,
  opened: OpenedRun,
  interrupt: Interruptible,
): Promise<number> {
  const { session, plan, args } = request;
  const services = await startServices(plan, opened, session.secrets);
  const isJson = args.booleans.has('json');
  const write = isJson ? eventWriter(process.stdout, session.secrets) : null;
  const screen = screenOf(request, opened);
  const emit = (event: RunEvent): void => {
    screen.event(event);
    write?.(event);
  };
  const play = new RunSession({
    plan,
    ...opened,
    ...services,
    secrets: session.secrets,
    emit,
    interrupt: interrupt.signal,
  });
  interrupt.onHardStop(() => removeHard(play));
  interrupt.onHardStop(() => hardStopText(opened.writer.dir, opened.run.name ?? opened.run.id));
  const told = tellRemoval(
    interrupt.signal,
    () => play.boxes,
    (text) => screen.say(text),
  );
  interrupt.announceBy((text) => screen.say(text));
  const ticker = setInterval(
    () => write?.({ type: 'progress', ...play.snapshot().progress }),
    progressMs,
  );
  try {
    emit(planned(request, opened));
    for (const { file, message } of opened.writer.repairs)
      emit({ type: 'warning', code: 'store/damaged', message: `${file}: ${message}` });
    screen.watch(() => play.snapshot());
    const result = await play.play();
    screen.stop();
    if (!isJson) await printResult(result);
    const kept = keptText(play.keptBoxes, result.summary);
    if (kept !== null) process.stderr.write(`vf: ${kept}\n`);
    if (args.booleans.has('quiet')) sayGate(result);
    return result.exitCode;
  } finally {
    clearInterval(ticker);
    told();
    screen.stop();
    await services.close();
  }
}

const progressMs = 10_000;

function screenOf({ session, plan, args }: PlayRequest, { run, writer }: OpenedRun): Screen {
  const isQuiet = args.booleans.has('quiet') || args.booleans.has('json');
  const display = isQuiet ? 'quiet' : chooseDisplay(session.resolved.tree['display']);
  const head = {
    title: runTitle(plan),
    run: asName(run.name ?? run.id),
    dir: asName(formatPath(writer.dir)),
    budgetCost: plan.config.budget.cost,
    isVerbose: args.booleans.has('verbose'),
  };
  const screen = startScreen(head, display);
  if (!isQuiet) for (const note of [...session.resolved.notes, ...plan.notes]) screen.say(note);
  return screen;
}

function planned({ session, plan }: PlayRequest, { run, writer }: OpenedRun): RunEvent {
  return {
    type: 'run.planned',
    run: run.name ?? run.id,
    dir: writer.dir,
    config: session.resolved.tree,
    tasks: plan.tasks.length,
    rollouts: plan.tasks.length * plan.config.rolloutsPerExample,
    problems: [],
  };
}

/** Where the table may be thrown away, the reason of the exit code is still told. */
function sayGate({ summary, exitCode }: RunResult): void {
  if (summary.gateFailed === undefined) return;
  process.stderr.write(`vf: gate: ${summary.gateFailed} (exit ${exitCode})\n`);
}

async function printResult(result: RunResult): Promise<void> {
  const { summary } = result;
  const size = await stat(join(summary.dir, 'traces.jsonl')).then(
    (file) => file.size,
    () => null,
  );
  process.stdout.write(`${summaryText(summary, size)}\n`);
  const stopped = stopText(result);
  if (stopped !== null) process.stderr.write(`${stopped}\n`);
}
