import { randomUUID } from 'node:crypto';
import type { Call, CallError, Client, Dialect, Exchange, Price, ReadReply, Usage } from '@vf/core';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { defaultLimits } from '../limits.ts';
import { costOf } from '../turn/cost.ts';
import { errorOfReply, errorOfSend } from '../turn/call-errors.ts';
import { pauseAfter } from '../turn/retry-policy.ts';
import type { AttemptFailure } from '../turn/retry-policy.ts';
import { readReply } from './read-reply.ts';

/** Where a question of our own goes: no agent stands before it. */
export interface SideProvider {
  readonly client: Client;
  readonly dialect: Dialect;
  readonly price: Price | null;
  /** Attempts after the first. Default: as for agents. */
  readonly retries?: number;
  readonly clock?: Clock;
}

/** `error`: what the last attempt failed with. Usage and dollars are there whenever the provider told them. */
export interface Asked {
  readonly reply: ReadReply | null;
  readonly error: CallError | null;
  readonly usage: Usage | null;
  /** US dollars; null = unknown. */
  readonly cost: number | null;
}

/**
 * Asks a model once, in one piece, and tries again as the server does for agents: 429, 5xx and broken connections,
 * with back-off and Retry-After.
 * @throws the signal's reason when it fires
 */
export async function askModel(
  provider: SideProvider,
  call: Call,
  signal: AbortSignal,
): Promise<Asked> {
  const { clock = systemClock, retries = defaultLimits.retries } = provider;
  const exchange = exchangeOf(provider.dialect, call, clock);
  for (let attempt = 1; ; attempt++) {
    const asked = await askOnce(provider, { ...exchange, attempt }, clock, signal);
    signal.throwIfAborted();
    if (asked.error === null) return asked;
    const pause = pauseAfter(failureOf(asked.error), attempt, {
      retries,
      longestRetryAfter: defaultLimits.longestRetryAfter,
    });
    if (pause === null) return asked;
    await clock.sleep(pause, signal);
    signal.throwIfAborted();
  }
}

async function askOnce(
  { client, dialect, price }: SideProvider,
  exchange: Exchange,
  clock: Clock,
  signal: AbortSignal,
): Promise<Asked> {
  try {
    const sent = await client.send(exchange, signal);
    const reply = await readReply(dialect, sent, signal);
    const error = errorOfReply(sent.head, reply, clock.now());
    return { reply, error, usage: reply.usage, cost: costOf(reply.usage, price) };
  } catch (failure) {
    return { reply: null, error: errorOfSend(failure), usage: null, cost: null };
  }
}

function failureOf(error: CallError): AttemptFailure {
  return { error, answer: null, isReset: error.status === 0 };
}

function exchangeOf(dialect: Dialect, call: Call, clock: Clock): Omit<Exchange, 'attempt'> {
  const body = Buffer.from(JSON.stringify(dialect.request.write(call)));
  return {
    rollout: {
      id: '',
      newId: (prefix) => `${prefix}${randomUUID()}`,
      now: () => clock.now(),
    },
    kind: 'turn',
    dialect,
    request: {
      method: 'POST',
      path: dialect.turnPath(call.settings),
      headers: ['content-type', 'application/json', ...(dialect.headers ?? [])],
      body: [body],
    },
    call: () => call,
    prefix: () => ({ messages: 0, tokens: null }),
  };
}
