import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir } from './cache-dir.ts';
import type { LocalEngine, ServeOptions } from './engines/engine-spec.ts';
import { isHealthy, until } from './health.ts';
import { servable } from './serve-command.ts';
import { startFailed } from './unavailable.ts';

/** A server that outlives the command that started it. */
export interface Background {
  readonly url: string;
  readonly pid: number;
  readonly model: string;
}

/** The server lives while this file exists, and writes its address into it. */
const stateFile = (engine: LocalEngine): string => join(cacheDir(), `server-${engine}.json`);
export const logFile = (engine: LocalEngine): string => join(cacheDir(), `server-${engine}.log`);

/** The background server of an engine that answers, or null. */
export async function findBackground(
  engine: LocalEngine,
  signal: AbortSignal,
): Promise<Background | null> {
  const state = await readState(engine);
  return state && (await isHealthy(state.url, signal)) ? state : null;
}

/**
 * Starts an engine's background server, or returns the one that runs already, whatever its options.
 *
 * @throws LocalModelUnavailable when it cannot run here
 */
export async function startBackground(
  engine: LocalEngine,
  options: ServeOptions,
  signal: AbortSignal,
): Promise<Background> {
  const { spec, command } = await servable(engine, signal);
  const running = await claim(engine, spec.startLimit, signal);
  if (running) return running;
  const ended = spawnDetached(engine, command(options, ['--while-exists', stateFile(engine)]));
  try {
    return await until(
      async () => (await findBackground(engine, signal)) ?? undefined,
      AbortSignal.any([signal, ended]),
    );
  } catch (error) {
    await rm(stateFile(engine), { force: true });
    if (!ended.aborted) throw error;
    throw startFailed(spec, await logTail(engine));
  }
}

/**
 * Makes the state file, empty as long as its server starts; or returns the server that has one
 * already, once it answers. A file that names a server that is gone is taken over, and an empty one
 * after `limit` milliseconds.
 */
function claim(
  engine: LocalEngine,
  limit: number,
  signal: AbortSignal,
): Promise<Background | null> {
  const giveUpAt = performance.now() + limit;
  return until<Background | null>(async () => {
    const running = await findBackground(engine, signal);
    if (running) return running;
    const starting = (await readState(engine)) === null && performance.now() < giveUpAt;
    if (!starting) await rm(stateFile(engine), { force: true });
    return (await createStateFile(engine)) ? null : undefined;
  }, signal);
}

/** Ends an engine's background server and waits until it is gone. Returns false when there was none. */
export async function stopBackground(engine: LocalEngine, signal: AbortSignal): Promise<boolean> {
  const state = await findBackground(engine, signal);
  await rm(stateFile(engine), { force: true });
  if (!state) return false;
  await until(async () => isGone(state.pid) || undefined, signal);
  return true;
}

/** False when the file is there already. */
async function createStateFile(engine: LocalEngine): Promise<boolean> {
  try {
    await writeFile(stateFile(engine), '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns a signal that fires when the program ends while we still wait for it. */
function spawnDetached(engine: LocalEngine, argv: readonly string[]): AbortSignal {
  const log = openSync(logFile(engine), 'w');
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const ended = new AbortController();
  child.once('error', (error) => ended.abort(error));
  child.once('exit', () => ended.abort());
  child.unref();
  return ended.signal;
}

async function readState(engine: LocalEngine): Promise<Background | null> {
  try {
    return JSON.parse(await readFile(stateFile(engine), 'utf8')) as Background;
  } catch {
    return null;
  }
}

async function logTail(engine: LocalEngine): Promise<string> {
  return (await readFile(logFile(engine), 'utf8').catch(() => '')).trim().slice(-4000);
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
