import { VfError } from '@vf/core/errors';

export interface ProbeAnswer {
  readonly status: number;
  /** That was asked for. */
  readonly path: string;
  /** Parsed; null when it is no JSON. */
  readonly body: unknown;
  readonly isHtml: boolean;
  /** Of a redirect; null for none. */
  readonly location: string | null;
}

/**
 * A redirect, or anything but JSON where a model server has some: a page, `404 page not found`. An answer of 5xx may be
 * of a gateway whose server is about to come.
 */
export function isOfWebServer({ status, body, isHtml }: ProbeAnswer): boolean {
  if (status >= 300 && status < 400) return true;
  const isOdd = status < 300 || status === 404 || status === 405 || status === 501;
  return isOdd && (isHtml || body === null);
}

export function noModelServer(
  { baseUrl }: { readonly baseUrl: string },
  { status, path, isHtml, location }: ProbeAnswer,
): VfError {
  const { origin } = new URL(baseUrl);
  const what =
    status >= 300 && status < 400
      ? `a redirect${location === null ? '' : ` to ${location}`}`
      : isHtml
        ? 'a web page'
        : 'no JSON';
  return new VfError(
    'provider/unreachable',
    `${origin} is no model server: it answers ${path} with ${what} (status ${status})`,
    { hint: 'check client.base_url: its host, port and path (that of most servers ends in /v1)' },
  );
}
