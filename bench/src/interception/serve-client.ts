import type { Client, InterceptionSession, Log } from '@vf/core';
import { Trace } from '@vf/core/trace';
import dialect from '@vf/dialect-chat-completions';
import { startInterception } from '@vf/interception';
import { serveCommands } from './child.ts';

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** Serves rollouts that this client answers, for as long as the measuring process lives. */
export async function serveClient(client: Client): Promise<void> {
  const server = await startInterception({ dialects: [dialect], log: quiet });
  let sessions: InterceptionSession[] = [];
  serveCommands({
    async open(count) {
      const opening = Array.from({ length: count }, (_, i) =>
        server.open(
          {
            rolloutId: `rollout-${i}`,
            trace: newTrace(i),
            client,
            model: null,
            sampling: {},
            price: null,
            admit: () => null,
          },
          new AbortController().signal,
        ),
      );
      sessions = await Promise.all(opening);
      return sessions.map((session) => session.endpoint);
    },
    async close() {
      await Promise.all(sessions.map((session) => session.close()));
    },
  });
}

function newTrace(i: number): Trace {
  return new Trace({
    id: `trace-${i}`,
    task: { type: 'bench', key: 'key', hash: 'hash', data: {} },
    agent: {
      name: 'agent',
      trainable: false,
      model: 'm',
      harness: { id: 'none', version: null, config: {} },
      runtime: { id: 'none', config: {} },
      sampling: {},
      limits: {},
    },
    start: Date.now() / 1000,
  });
}
