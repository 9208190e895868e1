import { Duplex } from 'node:stream';
import type { Endpoint } from '@vf/core';
import type { Agent as AgentType, Dispatcher } from 'undici';
import { Agent } from './undici-parts.ts';

/** No time limits: how long a model may take is the run's business. */
const options: AgentType.Options = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 60_000 };

let overSockets: AgentType | null = null;
/** By the function that connects; they go with the server it belongs to. */
const inMemory = new WeakMap<() => object, AgentType>();

/** The pool of connections to an endpoint, shared by all loops: in memory where the server is in this process. */
export function dispatcherOf({ connect }: Endpoint): Dispatcher {
  if (connect === undefined) return (overSockets ??= new Agent(options));
  const known = inMemory.get(connect);
  if (known !== undefined) return known;
  const agent = new Agent({
    ...options,
    connect: (_to, callback) => {
      const connection = connect();
      if (connection instanceof Duplex) process.nextTick(callback, null, connection);
      else callback(new TypeError('the connection is no stream'), null);
    },
  });
  inMemory.set(connect, agent);
  return agent;
}
