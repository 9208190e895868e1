import type { InterceptionSession, Log } from '@vf/core';
import { Trace } from '@vf/core/trace';
import dialect from '@vf/dialect-chat-completions';
import { relayClient, startInterception } from '@vf/interception';
import { serveCommands } from './interception/child.ts';

const quiet: Log = { debug() {}, info() {}, warn() {}, error() {} };
const client = relayClient({ baseUrl: process.argv[2] ?? '', key: `sk-${'k3y'.repeat(20)}` });
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
