import { createRequire } from 'node:module';
import type { Agent as AgentClass, Dispatcher } from 'undici';

const require = createRequire(import.meta.url);

type Request = (
  this: Dispatcher,
  options: Dispatcher.RequestOptions,
) => Promise<Dispatcher.ResponseData>;

/** By its own file: the package's index loads fetch, caches and WebSocket too, and every start would wait for them. */
export const Agent = require('undici/lib/dispatcher/agent.js') as typeof AgentClass;

const request = require('undici/lib/api/api-request.js') as Request;

/** One request through a dispatcher. */
export function requestThrough(
  dispatcher: Dispatcher,
  options: Dispatcher.RequestOptions,
): Promise<Dispatcher.ResponseData> {
  return request.call(dispatcher, options);
}
