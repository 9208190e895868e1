import type { Dialect, InterceptionSession, Log, SessionSpec } from '@vf/core';
import type { Trace } from '@vf/core/trace';
import { Trace as NewTrace } from '@vf/core/trace';
import chatCompletions from '@vf/dialect-chat-completions';
import messages from '@vf/dialect-messages';
import responses from '@vf/dialect-responses';
import { relayClient, startInterception } from '@vf/interception';
import type { InterceptionOptions } from '@vf/interception';

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
export const dialects: readonly Dialect[] = [chatCompletions, messages, responses];

/** A rollout on an interception server in front of a model. */
export interface Rig {
  readonly url: string;
  readonly bearer: string;
  readonly trace: Trace;
  readonly session: InterceptionSession;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function intercept(
  modelUrl: string,
  spec: Partial<SessionSpec> = {},
  options: Partial<InterceptionOptions> = {},
): Promise<Rig> {
  const server = await startInterception({ dialects, log: quiet, ...options });
  const client = relayClient({ baseUrl: `${modelUrl}/v1`, key: 'provider-key' });
  const trace = newTrace();
  const own = { rolloutId: 'rollout', trace, client, model: null, sampling: {}, price: null };
  const session = await server.open(
    { ...own, admit: () => null, ...spec },
    new AbortController().signal,
  );
  return {
    ...session.endpoint,
    trace,
    session,
    async [Symbol.asyncDispose]() {
      await server.close();
      await client.close();
    },
  };
}

function newTrace(): Trace {
  return new NewTrace({
    id: 'trace',
    task: { type: 'test', key: 'k', hash: 'h', data: {} },
    agent: {
      name: 'agent',
      trainable: true,
      model: 'scripted',
      harness: { id: 'none', version: null, config: {} },
      runtime: { id: 'none', config: {} },
      sampling: {},
      limits: {},
    },
    start: 0,
  });
}

/** A request of each dialect, streamed or not; chat asks for usage itself. */
export function requestOf(
  dialect: string,
  stream: boolean,
  text = 'hi',
): { readonly path: string; readonly body: string } {
  const user = [{ role: 'user', content: text }];
  const bodies: Readonly<Record<string, object>> = {
    'chat-completions': {
      messages: user,
      ...(stream ? { stream_options: { include_usage: true } } : {}),
    },
    messages: { messages: user, max_tokens: 100 },
    responses: { input: user },
  };
  const paths: Readonly<Record<string, string>> = {
    'chat-completions': '/v1/chat/completions',
    messages: '/v1/messages?beta=true',
    responses: '/v1/responses',
  };
  return {
    path: paths[dialect] ?? '',
    body: JSON.stringify({ model: 'scripted', stream, ...bodies[dialect] }),
  };
}
