import type { Route } from '@vf/core';

/**
 * Stored responses and conversations live on the provider's side, out of the record's sight, so they are refused;
 * so is a WebSocket upgrade, which is a GET, and makes the client fall back to HTTP.
 */
export const routes: readonly Route[] = [
  { method: 'POST', path: /\/v1\/responses\/?$/, kind: 'turn' },
  // Compaction samples a summary and rewrites the history: a turn.
  { method: 'POST', path: /\/v1\/responses\/compact\/?$/, kind: 'turn' },
  { method: 'POST', path: /\/v1\/responses\/input_tokens\/?$/, kind: 'count-tokens' },
  { method: 'GET', path: /\/v1\/models(\/[^/]+)?\/?$/, kind: 'models' },
  { method: 'GET', path: /\/v1\/responses\/?$/, kind: 'refused' },
  { method: 'GET', path: /\/v1\/responses\/[^/]+(\/input_items)?\/?$/, kind: 'refused' },
  { method: 'DELETE', path: /\/v1\/responses\/[^/]+\/?$/, kind: 'refused' },
  { method: 'POST', path: /\/v1\/responses\/[^/]+\/cancel\/?$/, kind: 'refused' },
  { method: 'POST', path: /\/v1\/conversations(\/[^/]+(\/items)?)?\/?$/, kind: 'refused' },
  { method: 'GET', path: /\/v1\/conversations\/[^/]+(\/items(\/[^/]+)?)?\/?$/, kind: 'refused' },
  { method: 'DELETE', path: /\/v1\/conversations\/[^/]+(\/items\/[^/]+)?\/?$/, kind: 'refused' },
];

/** The model list as OpenAI spells it. */
export function models(ids: readonly string[]): Uint8Array {
  const data = ids.map((id) => ({ id, object: 'model', created: 0, owned_by: 'vf' }));
  return new TextEncoder().encode(JSON.stringify({ object: 'list', data }));
}
