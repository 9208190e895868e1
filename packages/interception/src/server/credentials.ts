import type { Dialect } from '@vf/core';
import { withoutHeader } from '../http/raw-headers.ts';
import type { Opened, SessionRegistry } from '../session/session-registry.ts';
import type { RouteMatch } from './routes.ts';

type Secret = NonNullable<ReturnType<Dialect['secret']>>;

/** The route that a request's secret opens, and what it opens. */
export interface Authorized {
  readonly match: RouteMatch;
  readonly secret: Secret;
  readonly opened: NonNullable<Opened>;
}

/** The first of the matching routes whose dialect finds a known secret in the request. */
export function authorized(
  sessions: SessionRegistry,
  matches: readonly RouteMatch[],
  headers: readonly string[],
  url: URL,
): Authorized | null {
  for (const match of matches) {
    const secret = match.dialect.secret(headers, url);
    const opened = secret === null ? null : sessions.find(secret.value);
    if (secret !== null && opened !== null) return { match, secret, opened };
  }
  return null;
}

/** Raw headers without the one that carried the secret. */
export function stripHeaders(headers: readonly string[], secret: Secret | null): readonly string[] {
  return secret?.header === undefined ? headers : withoutHeader(headers, secret.header);
}

/** A query (`?a=b` or empty) without the parameter that carried the secret; the rest stays byte for byte. */
export function stripQuery(query: string, secret: Secret | null): string {
  if (secret?.query === undefined || query === '') return query;
  const name = secret.query;
  const kept = query
    .slice(1)
    .split('&')
    .filter((pair) => new URLSearchParams(pair).keys().next().value !== name);
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/** The token of an `Authorization: Bearer` header. */
export function bearerToken(authorization: string | null): string | null {
  return /^bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
