import type { Client, Log, SessionSpec } from '@vf/core';
import { Trace } from '@vf/core/trace';
import type { InterceptionOptions, InterceptionServer } from '../src/index.ts';
import { relayClient, startInterception } from '../src/index.ts';
import { scriptedProvider } from './scripted-provider.ts';
import type { ScriptedProvider } from './scripted-provider.ts';
import { wireDialect } from './wire-dialect.ts';

export const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

export function newTrace(): Trace {
  return new Trace({
    id: 'trace',
    task: { type: 'test', key: 'k', hash: 'h', data: {} },
    agent: {
      name: 'agent',
      trainable: true,
      model: 'm',
      harness: { id: 'h', version: null, config: {} },
      runtime: { id: 'r', config: {} },
      sampling: {},
      limits: {},
    },
    start: 0,
  });
}

/** A server with one session in front of a scripted provider. */
export interface Rig {
  readonly server: InterceptionServer;
  readonly provider: ScriptedProvider;
  readonly client: Client;
  readonly trace: Trace;
  readonly session: Awaited<ReturnType<InterceptionServer['open']>>;
  /** Posts a turn. */
  post(body: unknown, headers?: Record<string, string>, signal?: AbortSignal): Promise<Response>;
  close(): Promise<void>;
}

export async function rig(
  options: Partial<InterceptionOptions> = {},
  spec: Partial<SessionSpec> = {},
): Promise<Rig> {
  const provider = await scriptedProvider();
  const server = await startInterception({ dialects: [wireDialect], log: quiet, ...options });
  const client = relayClient({ baseUrl: provider.url, key: 'provider-key' });
  const trace = newTrace();
  const session = await server.open(
    {
      rolloutId: 'rollout',
      trace,
      client,
      model: null,
      sampling: {},
      price: null,
      admit: () => null,
      ...spec,
    },
    new AbortController().signal,
  );
  return {
    server,
    provider,
    client,
    trace,
    session,
    post: (body, headers = {}, signal) =>
      fetch(`${session.endpoint.url}/v1/turns`, {
        method: 'POST',
        headers: {
          'x-api-key': session.endpoint.bearer,
          'content-type': 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      }),
    async close() {
      await server.close();
      await client.close?.();
      await provider.close();
    },
  };
}

/** A clock whose sleeps take no time and are noted. */
export function instantClock(): {
  now(): number;
  sleep(ms: number): Promise<void>;
  readonly slept: number[];
} {
  const slept: number[] = [];
  return {
    slept,
    now: () => Date.now(),
    async sleep(ms) {
      slept.push(ms);
    },
  };
}

export function userTurn(...texts: readonly string[]): {
  model: string;
  messages: { role: string; content: string }[];
} {
  return {
    model: 'asked-model',
    messages: texts.map((content, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', content })),
  };
}

/** Reads a reply until its text has `mark`. */
export async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  mark: string,
): Promise<string> {
  let text = '';
  while (!text.includes(mark)) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`the reply ended before '${mark}': ${text}`);
    text += Buffer.from(value).toString();
  }
  return text;
}

/** The reader of a streamed reply. */
export function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (response.body === null) throw new Error('the reply has no body');
  return response.body.getReader();
}

/** Resolves when `holds` does. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2));
}
