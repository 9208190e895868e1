import type { Log } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { probeTraining, sweepPlan } from '@vf/run';
import type { RunPlan } from '@vf/run';
import type * as Serve from '@vf/serve';
import { parseCommandLine } from '../args/parse-args.ts';
import type { ParsedArgs } from '../args/parse-args.ts';
import { removeHard, tellRemoval } from '../box-removal.ts';
import { interruptible } from '../interrupt.ts';
import type { Interruptible } from '../interrupt.ts';
import { loadServe } from '../serve/load-serve.ts';
import { serveLog } from '../serve/serve-log.ts';
import { planServe } from '../serve/serve-plan.ts';
import { stopWithStdin } from '../serve/stop-with-stdin.ts';
import { startWorker, takeWorkerMark, workForServer } from '../serve/worker.ts';
import { openSession } from '../session.ts';
import type { CommandSession } from '../session.ts';
import { tellSlow } from '../tell-slow.ts';

const defaultBind = 'tcp://127.0.0.1:5000';

/** `vf serve [TASKSET] [@ FILE]…` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, {
    booleans: ['verbose', 'json', 'while-stdin'],
    values: ['env-file', 'bind', 'max-queued'],
    config: true,
  });
  const isWorker = takeWorkerMark();
  const serve = await loadServe(process.cwd());
  const bind = args.values.get('bind') ?? defaultBind;
  serve.parseAddress(bind);
  const session = await openSession(args, { taskset: args.positionals[0] });
  if (isWorker) return workForServer(serve, session, args);
  return interruptible(session.resolved.config.shutdownGrace, async (interrupt) => {
    if (args.booleans.has('while-stdin')) stopWithStdin();
    const log = serveLog(args.booleans.has('verbose'));
    await warnOfTraining(session, log, interrupt.signal);
    const plan = await planServe(session, interrupt.signal);
    try {
      await sweepPlan(plan, interrupt.signal);
      await serveUntilStopped({ serve, session, plan, args, argv, bind }, interrupt);
      return 0;
    } finally {
      await plan.close();
    }
  });
}

/** Says what requests of type train cannot be played without. */
async function warnOfTraining(
  { resolved: { config }, secrets }: CommandSession,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { baseUrl } = config.client;
  const gaps = await tellSlow(probeTraining(config, secrets, signal), () =>
    log.warn(`waiting for ${baseUrl ?? 'the tokenizer'} to answer`),
  );
  for (const { path, message, fix } of gaps)
    log.warn(`${path} ${message}`, fix === undefined ? {} : { hint: fix });
}

interface Served {
  readonly serve: typeof Serve;
  readonly session: CommandSession;
  readonly plan: RunPlan;
  readonly args: ParsedArgs;
  readonly argv: readonly string[];
  readonly bind: string;
}

async function serveUntilStopped(served: Served, interrupt: Interruptible): Promise<void> {
  const { serve, plan, args, bind } = served;
  const log = serveLog(args.booleans.has('verbose'));
  const host = await startHost(served, log, interrupt.signal);
  interrupt.onHardStop(() => removeHard(host));
  const told = tellRemoval(
    interrupt.signal,
    () => host.boxes,
    (text) => process.stderr.write(`${text}\n`),
  );
  try {
    const server = await serve.startEnvServer({
      host,
      tasks: plan.tasks,
      bind,
      limits: { maxConcurrent: plan.config.maxConcurrent, ...queueLimit(args) },
      log,
    });
    announce(server.address, plan, args.booleans.has('json'));
    await aborted(interrupt.signal);
    await server.close();
    log.info('stopped', { ...server.counts() });
  } finally {
    await host.close();
    told();
  }
}

/** Plays here, or in as many processes as the config says. */
function startHost(
  { serve, session, plan, argv }: Served,
  log: Log,
  signal: AbortSignal,
): Promise<Serve.RunHost> {
  const {
    serve: { workers },
    shutdownGrace: grace,
  } = plan.config;
  if (workers === 1) return serve.startLocalHost({ plan, secrets: session.secrets, log });
  const onLost = (): void => void sweepPlan(plan, signal);
  return serve.startWorkerPool({ workers, start: () => startWorker(argv), onLost, grace, log });
}

function queueLimit({ values }: ParsedArgs): { readonly maxQueued?: number } {
  const text = values.get('max-queued');
  if (text === undefined) return {};
  if (/^\d+$/.test(text)) return { maxQueued: Number(text) };
  throw new VfError('usage/invalid', `--max-queued ${text} is no count`, {
    hint: '--max-queued 10000',
  });
}

/** The one line on stdout: who starts a server waits for it. */
function announce(address: string, { tasks, episode }: RunPlan, isJson: boolean): void {
  const { name } = episode.taskset;
  const text = isJson
    ? JSON.stringify({ v: 1, type: 'serve.ready', address, taskset: name, tasks: tasks.length })
    : `vf serve: ${name}, ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}, on ${address}`;
  process.stdout.write(`${text}\n`);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
