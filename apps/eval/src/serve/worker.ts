import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type * as Serve from '@vf/serve';
import type { ParsedArgs } from '../args/parse-args.ts';
import type { CommandSession } from '../session.ts';
import { serveLog } from './serve-log.ts';
import { planServe } from './serve-plan.ts';

/** Set for a process that plays for another one. */
const mark = 'VF_SERVE_WORKER';

/** The same command as this one, as a process that plays for it. What it writes goes to stderr. */
export function startWorker(argv: readonly string[]): ChildProcess {
  const [, program = ''] = process.argv;
  return spawn(process.execPath, [...process.execArgv, program, 'serve', ...argv], {
    stdio: ['ignore', 2, 2, 'pipe'],
    env: { ...process.env, [mark]: '1' },
  });
}

/** Was this process started to play for another one? What it starts itself does not see the mark. */
export function takeWorkerMark(): boolean {
  const isMarked = process.env[mark] !== undefined;
  delete process.env[mark];
  return isMarked;
}

/** Plays what the server asks for until it is gone. Signals are for the server: it says when to end. */
export async function workForServer(
  serve: typeof Serve,
  session: CommandSession,
  args: ParsedArgs,
): Promise<number> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => undefined);
  const log = serveLog(args.booleans.has('verbose'));
  const plan = await planServe(session, new AbortController().signal);
  try {
    const host = await serve.startLocalHost({ plan, secrets: session.secrets, log });
    await serve.serveAsWorker(host, log);
    return 0;
  } finally {
    await plan.close();
  }
}
