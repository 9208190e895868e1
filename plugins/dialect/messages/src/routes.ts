import type { Route } from '@vf/core';

const any = ['GET', 'POST', 'DELETE'] as const;

/** Batches and files are refused: their replies come outside the rollout. */
export const routes: readonly Route[] = [
  { method: 'POST', path: /\/messages$/, kind: 'turn' },
  { method: 'POST', path: /\/messages\/count_tokens$/, kind: 'count-tokens' },
  { method: 'GET', path: /\/models(\/[^/]+)?$/, kind: 'models' },
  { method: 'HEAD', path: /(^|\/)$/, kind: 'probe' },
  { method: 'GET', path: /(^|\/)$/, kind: 'probe' },
  ...any.flatMap((method): readonly Route[] => [
    { method, path: /\/messages\/batches(\/.*)?$/, kind: 'refused' },
    { method, path: /\/files(\/.*)?$/, kind: 'refused' },
  ]),
];

export function models(ids: readonly string[]): Uint8Array {
  const data = ids.map((id) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: '1970-01-01T00:00:00Z',
  }));
  const list = { data, has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null };
  return new TextEncoder().encode(JSON.stringify(list));
}
