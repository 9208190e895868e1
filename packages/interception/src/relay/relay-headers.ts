import type { Dialect } from '@vf/core';

/** Hop-by-hop (RFC 9110 §7.6.1), what undici or the unpacking sets anew, and what may carry a secret. */
const dropped = new Set([
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'cookie',
  'accept-encoding',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-api-key',
  'x-goog-api-key',
]);

const droppedFromReplies = new Set([
  'alt-svc',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'set-cookie',
  'strict-transport-security',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers for the provider: the agent's own, without its secret, with the provider's key and the run's headers. */
export function requestHeaders(
  agent: readonly string[],
  dialect: Pick<Dialect, 'authorize'>,
  key: string | null,
  extra: readonly string[],
): string[] {
  const own = key === null ? extra : [...dialect.authorize(key), ...extra];
  const headers: string[] = [];
  for (let i = 0; i + 1 < agent.length; i += 2) {
    const name = agent[i] ?? '';
    const lower = name.toLowerCase();
    if (!dropped.has(lower) && !names(own, lower)) headers.push(name, agent[i + 1] ?? '');
  }
  headers.push(...own);
  return headers;
}

/** Headers for the agent, as raw pairs. */
export function replyHeaders(raw: readonly (Buffer | string)[], key: string | null): string[] {
  const headers: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = text(raw[i]);
    if (!droppedFromReplies.has(name.toLowerCase()))
      headers.push(name, withoutKey(text(raw[i + 1]), key));
  }
  return headers;
}

/** `value` with every occurrence of the provider's key masked. */
export function withoutKey(value: string, key: string | null): string {
  return key === null || key === '' ? value : value.replaceAll(key, '***');
}

function names(headers: readonly string[], lower: string): boolean {
  for (let i = 0; i < headers.length; i += 2) if (headers[i]?.toLowerCase() === lower) return true;
  return false;
}

function text(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '');
}
