import { createRequire } from 'node:module';
import type * as Undici from 'undici';
import type { Dispatcher, EnvHttpProxyAgent } from 'undici';

const require = createRequire(import.meta.url);

type Request = (
  this: Dispatcher,
  options: Dispatcher.RequestOptions,
) => Promise<Dispatcher.ResponseData>;

/** By its own file: the package's index loads fetch, caches and WebSocket too, a third of the time `vf eval` takes to start. */
export const Pool = require('undici/lib/dispatcher/pool.js') as typeof Undici.Pool;

const request = require('undici/lib/api/api-request.js') as Request;

/** One request through a dispatcher. */
export function requestThrough(
  dispatcher: Dispatcher,
  options: Dispatcher.RequestOptions,
): Promise<Dispatcher.ResponseData> {
  return request.call(dispatcher, options);
}

/** Goes through the proxies that the environment names. Loads all of undici. */
export function proxyAgent(options: EnvHttpProxyAgent.Options): EnvHttpProxyAgent {
  const undici = require('undici') as typeof Undici;
  return new undici.EnvHttpProxyAgent(options);
}
