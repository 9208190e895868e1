import type { Route } from '@vf/core';

const any = ['GET', 'POST', 'DELETE'] as const;

function refused(path: RegExp): readonly Route[] {
  return any.map((method) => ({ method, path, kind: 'refused' }));
}

/** Stored completions, legacy completions and embeddings are refused: nothing of them could be recorded as a turn. */
export const routes: readonly Route[] = [
  { method: 'POST', path: /\/chat\/completions$/, kind: 'turn' },
  { method: 'GET', path: /\/models(\/[^/]+)?$/, kind: 'models' },
  ...refused(/\/chat\/completions\/.+$/),
  { method: 'GET', path: /\/chat\/completions$/, kind: 'refused' },
  { method: 'POST', path: /(?<!\/chat)\/completions$/, kind: 'refused' },
  { method: 'POST', path: /\/embeddings$/, kind: 'refused' },
];

export function models(ids: readonly string[]): Uint8Array {
  const data = ids.map((id) => ({ id, object: 'model', created: 0, owned_by: 'vf' }));
  return new TextEncoder().encode(JSON.stringify({ object: 'list', data }));
}
