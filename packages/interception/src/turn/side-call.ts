import type { ServerResponse } from 'node:http';
import type { Exchange, Reply } from '@vf/core';
import type { Session } from '../session/session.ts';
import { errorOfSend } from './call-errors.ts';
import { Delivery } from './delivery.ts';
import type { Incoming } from './incoming.ts';

/** Relays a request that samples nothing (token counts, model lists) once; it is not recorded. */
export async function relaySide(
  session: Session,
  incoming: Incoming,
  kind: Exclude<Exchange['kind'], 'turn'>,
  response: ServerResponse,
): Promise<void> {
  const { dialect } = incoming;
  const abort = new AbortController();
  const signal = AbortSignal.any([abort.signal, session.signal]);
  const delivery = new Delivery(0);
  delivery.listener = { gone: () => abort.abort(), delivered: () => undefined };
  delivery.attach(response);
  let reply: Reply;
  try {
    reply = await session.spec.client.send(exchangeOf(session, incoming, kind), signal);
  } catch (error) {
    const { head, body } = dialect.error({ ...errorOfSend(error), status: 502 });
    return delivery.whole(head, [body]);
  }
  try {
    delivery.begin(reply.head);
    for await (const chunk of reply.body) {
      delivery.write(chunk);
      if (delivery.isFull) await delivery.drained();
    }
    delivery.end();
  } catch {
    delivery.cut();
  }
}

function exchangeOf(session: Session, incoming: Incoming, kind: Exchange['kind']): Exchange {
  const { dialect, method, headers, path, body } = incoming;
  const read = session.memoryOf(dialect).read(body, path);
  const { model } = session.spec;
  const edited = read.edited(model === null || !read.parsed ? {} : { model });
  return {
    rollout: session.rollout,
    kind,
    dialect,
    attempt: 1,
    request: { method, path: edited.path, headers, body: edited.body },
    call: (options) => edited.call(options),
    prefix: () => ({ messages: read.known, tokens: null }),
  };
}
