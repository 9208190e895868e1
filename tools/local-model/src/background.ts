import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.ts';
import { installedPython } from './engine.ts';
import { isHealthy, until } from './health.ts';
import type { ServeOptions } from './serve-command.ts';
import { serveCommand } from './serve-command.ts';
import { LocalModelUnavailable } from './unavailable.ts';

/** A server that outlives the command that started it. */
export interface Background {
  readonly url: string;
  readonly pid: number;
  readonly model: string;
}

/** After this a server that has not said its address is taken for dead. */
const START_LIMIT_MS = 120_000;

/** The server lives while this file exists, and writes its address into it. */
const stateFile = (): string => join(cacheDir(), 'server.json');
export const logFile = (): string => join(cacheDir(), 'server.log');

/** The background server that answers, or null. */
export async function findBackground(signal: AbortSignal): Promise<Background | null> {
  const state = await readState();
  return state && (await isHealthy(state.url, signal)) ? state : null;
}

/**
 * Starts the background server, or returns the one that runs already, whatever its options.
 *
 * @throws LocalModelUnavailable when it cannot run here
 */
export async function startBackground(
  options: ServeOptions,
  signal: AbortSignal,
): Promise<Background> {
  const python = await installedPython(signal);
  const running = await claim(signal);
  if (running) return running;
  const ended = spawnDetached(serveCommand(python, options, ['--while-exists', stateFile()]));
  try {
    return await until(
      async () => (await findBackground(signal)) ?? undefined,
      AbortSignal.any([signal, ended]),
    );
  } catch (error) {
    await rm(stateFile(), { force: true });
    if (!ended.aborted) throw error;
    throw new LocalModelUnavailable(
      'start-failed',
      `the local model's server ended before it answered:\n${await logTail()}`,
      'is the port free, and 0.5 GB of memory?',
    );
  }
}

/**
 * Makes the state file, empty as long as its server starts; or returns the server that has one
 * already, once it answers. A file that names a server that is gone is taken over.
 */
function claim(signal: AbortSignal): Promise<Background | null> {
  const giveUpAt = performance.now() + START_LIMIT_MS;
  return until<Background | null>(async () => {
    const running = await findBackground(signal);
    if (running) return running;
    const starting = (await readState()) === null && performance.now() < giveUpAt;
    if (!starting) await rm(stateFile(), { force: true });
    return (await createStateFile()) ? null : undefined;
  }, signal);
}

/** Ends the background server and waits until it is gone. Returns false when there was none. */
export async function stopBackground(signal: AbortSignal): Promise<boolean> {
  const state = await findBackground(signal);
  await rm(stateFile(), { force: true });
  if (!state) return false;
  await until(async () => isGone(state.pid) || undefined, signal);
  return true;
}

/** False when the file is there already. */
async function createStateFile(): Promise<boolean> {
  try {
    await writeFile(stateFile(), '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns a signal that fires when the program ends while we still wait for it. */
function spawnDetached(argv: readonly string[]): AbortSignal {
  const log = openSync(logFile(), 'w');
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = new AbortController();
  child.once('error', (error) => ended.abort(error));
  child.once('exit', () => ended.abort());
  child.unref();
  return ended.signal;
}

async function readState(): Promise<Background | null> {
  try {
    return JSON.parse(await readFile(stateFile(), 'utf8')) as Background;
  } catch {
    return null;
  }
}

async function logTail(): Promise<string> {
  return (await readFile(logFile(), 'utf8').catch(() => '')).trim().slice(-4000);
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
