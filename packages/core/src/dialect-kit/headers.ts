import type { CallError } from '../call.ts';

/** Value of the first header of this name (lower case) in raw pairs `[name, value, …]`. */
export function headerOf(headers: readonly string[], name: string): string | null {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const other = headers[at] ?? '';
    // Lengths tell most names apart without making a copy in lower case.
    if (other.length === name.length && other.toLowerCase() === name)
      return headers[at + 1] ?? null;
  }
  return null;
}

/**
 * How long the provider asks to wait: `retry-after-ms` (OpenAI, Azure), else `retry-after` in seconds or as an HTTP
 * date, counted from the reply's own `date` so that a skewed clock does not matter.
 * @returns milliseconds, never negative; `null` when nothing is said or it cannot be read
 */
export function retryAfterMs(headers: readonly string[]): number | null {
  const exact = Number.parseFloat(headerOf(headers, 'retry-after-ms') ?? '');
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const value = headerOf(headers, 'retry-after')?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const until = Date.parse(value);
  const from = Date.parse(headerOf(headers, 'date') ?? '');
  if (Number.isNaN(until)) return null;
  return Math.max(0, until - (Number.isNaN(from) ? Date.now() : from));
}

/**
 * Headers of an error that vf answers with: JSON, how long to wait where that is known, and `x-should-retry: false`,
 * which ends the retries of the official SDKs at any status.
 */
export function errorHeaders({
  retryAfterMs: wait,
}: Pick<CallError, 'retryAfterMs'>): readonly string[] {
  const retryAfter = wait === undefined ? [] : ['retry-after', String(Math.ceil(wait / 1000))];
  return ['content-type', 'application/json', 'x-should-retry', 'false', ...retryAfter];
}

/** The secret of a request: a bearer token, or the value of one of `others` (lower-case header names). */
export function secretOf(
  headers: readonly string[],
  others: readonly string[],
): { readonly value: string; readonly header: string } | null {
  for (const header of others) {
    const value = headerOf(headers, header);
    if (value !== null && value !== '') return { value, header };
  }
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headerOf(headers, 'authorization') ?? '');
  return bearer?.[1] === undefined ? null : { value: bearer[1], header: 'authorization' };
}
