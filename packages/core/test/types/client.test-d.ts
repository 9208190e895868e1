import type { Client, Dialect, Exchange, Reply, SseEvent } from '../../src/index.ts';

/** Translation is a client around a client. */
export function translating(
  inner: Client,
  upstream: Dialect,
  events: (body: AsyncIterable<Uint8Array>) => AsyncIterable<SseEvent>,
): Client {
  return {
    async send(exchange, signal) {
      const call = exchange.call();
      const { stream } = call.settings;
      const body = new TextEncoder().encode(JSON.stringify(upstream.request.write(call)));
      const request = {
        ...exchange.request,
        path: upstream.turnPath(call.settings),
        body: [body],
      };
      const reply = await inner.send(
        {
          ...exchange,
          dialect: upstream,
          call: () => call,
          prefix: () => exchange.prefix(),
          request,
        },
        signal,
      );
      const reader = upstream.reader({ stream, deltas: true, head: reply.head, edits: [] });
      const writer = exchange.dialect.writer({
        stream,
        settings: call.settings,
        newId: (prefix) => exchange.rollout.newId(prefix),
        now: () => exchange.rollout.now(),
      });
      async function* translated() {
        for await (const event of events(reply.body)) {
          for (const delta of reader.push(event).deltas ?? []) yield writer.delta(delta);
        }
        yield writer.end(reader.end());
      }
      const { tokens } = reply;
      return { head: reply.head, body: translated(), ...(tokens ? { tokens } : {}) };
    },
  };
}

/** Replay answers from what was kept. */
export const replaying = (take: (exchange: Exchange) => Reply): Client => ({
  send: async (exchange) => take(exchange),
});

/** A client gives bytes, never text. */
export const wrong: Client = {
  // @ts-expect-error: the body is bytes
  send: async () => ({ head: { status: 200, headers: [] }, body: textBody() }),
};

async function* textBody(): AsyncGenerator<string> {
  yield 'text';
}
