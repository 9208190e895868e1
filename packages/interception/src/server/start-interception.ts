import type { Dialect, Interception, InterceptionSession, Log, SessionSpec } from '@vf/core';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { defaultLimits } from '../limits.ts';
import type { InterceptionLimits } from '../limits.ts';
import { InterceptionPool } from './interception-pool.ts';

export interface InterceptionOptions {
  readonly dialects: readonly Dialect[];
  /** Address to listen on, default 127.0.0.1; ports are chosen by the system. */
  readonly host?: string;
  readonly clock?: Clock;
  readonly limits?: Partial<InterceptionLimits>;
  /** Default true: ask for the usage of streamed replies even where the agent does not. */
  readonly includeUsage?: boolean;
  readonly log: Log;
}

/** The interception server of one process. */
export interface InterceptionServer extends Interception {
  /** URL of the first listener; a session's own is in its `endpoint`. */
  readonly url: string;
  /** Listeners open at this moment. */
  readonly listeners: number;
  /** Closes all sessions (with their drain) and all listeners. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts the server between agents and their model providers.
 * @throws VfError `interception/failed` when `host` cannot be listened on
 */
export async function startInterception(options: InterceptionOptions): Promise<InterceptionServer> {
  const pool = new InterceptionPool({
    dialects: options.dialects,
    host: options.host ?? '127.0.0.1',
    limits: { ...defaultLimits, ...options.limits },
    clock: options.clock ?? systemClock,
    log: options.log,
    includeUsage: options.includeUsage ?? true,
  });
  await pool.grow();
  let closing: Promise<void> | null = null;
  return {
    get url() {
      return pool.url;
    },
    get listeners() {
      return pool.size;
    },
    open: (spec, signal) => openSession(pool, spec, signal),
    close() {
      closing ??= pool.close();
      return closing;
    },
  };
}

async function openSession(
  pool: InterceptionPool,
  spec: SessionSpec,
  signal: AbortSignal,
): Promise<InterceptionSession> {
  signal.throwIfAborted();
  const session = await pool.open(spec);
  session.heed(signal);
  return session;
}
