import type { Wire } from './script.ts';

/** What a request asks of the server. */
export type Route =
  | { readonly kind: 'turn'; readonly dialect: Wire }
  | { readonly kind: 'count-tokens' }
  | { readonly kind: 'models' }
  | { readonly kind: 'model'; readonly id: string }
  | { readonly kind: 'tokenize' }
  | { readonly kind: 'props' }
  | { readonly kind: 'probe' }
  | { readonly kind: 'unknown' };

const turns: readonly (readonly [string, Wire])[] = [
  ['/chat/completions', 'chat-completions'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
  ['/completion', 'llama.cpp'],
];

/** The route of a request, matched below any path prefix. */
export function routeOf(method: string, url: string): Route {
  const path = url.replace(/[?#].*$/, '');
  if (method === 'POST') {
    const turn = turns.find(([suffix]) => path.endsWith(suffix));
    if (turn !== undefined) return { kind: 'turn', dialect: turn[1] };
    if (/\/(messages\/count_tokens|responses\/input_tokens)$/.test(path))
      return { kind: 'count-tokens' };
    return { kind: path.endsWith('/tokenize') ? 'tokenize' : 'unknown' };
  }
  if (path.endsWith('/props')) return { kind: 'props' };
  if (path === '/') return { kind: 'probe' };
  if (path.endsWith('/models')) return { kind: 'models' };
  const model = /\/models\/([^/]+)$/.exec(path)?.[1];
  return model === undefined
    ? { kind: 'unknown' }
    : { kind: 'model', id: decodeURIComponent(model) };
}
