import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallError, Dialect, Log } from '@vf/core';
import { answer, answerJson } from '../http/answer.ts';
import { headerOf } from '../http/raw-headers.ts';
import type { InterceptionLimits } from '../limits.ts';
import type { SessionRegistry } from '../session/session-registry.ts';
import { beginTurn } from '../turn/begin-turn.ts';
import { relaySide } from '../turn/side-call.ts';
import type { Turn } from '../turn/turn.ts';
import { authorized, bearerToken, stripHeaders, stripQuery } from './credentials.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { RouteTable } from './routes.ts';
import { serveMount } from './serve-mount.ts';
import { takeBody } from './take-body.ts';

/** The server that a request came to. */
export interface Listening {
  readonly url: string;
  readonly options: {
    readonly limits: Pick<InterceptionLimits, 'bodyBytes'>;
    readonly log: Pick<Log, 'error'>;
  };
  readonly sessions: SessionRegistry;
  readonly routes: RouteTable;
  readonly heartbeat: Heartbeat<Turn>;
}

/** Answers one request of an agent. Never rejects. */
export async function handleRequest(
  listener: Listening,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await route(listener, request, response);
  } catch (error) {
    listener.options.log.error('a request failed', {
      method: request.method ?? '',
      error: String(error),
    });
    if (response.headersSent) response.destroy();
    else answerJson(response, 500, 'the interception server failed');
  }
}

async function route(
  listener: Listening,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? 'GET';
  const { pathname, query, url, matches } = listener.routes.match(method, request.url ?? '/');
  if (pathname.startsWith('/mounts/')) return mounted(listener, request, response, pathname);
  const [first] = matches;
  if (first === undefined)
    return answerJson(response, 404, `there is no ${method} ${pathname} here`);
  const found = authorized(listener.sessions, matches, request.rawHeaders, url);
  const { dialect, route: matched, path } = found?.match ?? first;
  if (matched.kind === 'probe') return answer(response, { status: 200, headers: [] }, []);
  if (found === null)
    return refuse(response, dialect, { status: 401, code: 'auth', message: 'unknown API key' });
  const { opened, secret } = found;
  if (matched.kind === 'refused') {
    return refuse(response, dialect, {
      status: 404,
      code: 'not_found',
      message: `${method} ${path} is not served here`,
    });
  }
  if (opened === 'over')
    return refuse(response, dialect, {
      status: 400,
      code: 'refused',
      message: 'the rollout is over',
    });
  if (matched.kind === 'turn') opened.spec.onRequest?.();
  const body = await takeBody(request, response, dialect, listener.options.limits.bodyBytes);
  if (body === null) return;
  const headers = stripHeaders(request.rawHeaders, secret);
  const incoming = { dialect, method, path: `${path}${stripQuery(query, secret)}`, headers, body };
  if (matched.kind === 'turn')
    return await beginTurn(opened, incoming, response, listener.heartbeat);
  const { model } = opened.spec;
  if (matched.kind === 'models' && model !== null) {
    return answer(response, { status: 200, headers: ['content-type', 'application/json'] }, [
      dialect.models([model]),
    ]);
  }
  return relaySide(opened, incoming, matched.kind, response);
}

async function mounted(
  listener: Listening,
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
): Promise<void> {
  const token = bearerToken(headerOf(request.rawHeaders, 'authorization'));
  const opened = token === null ? null : listener.sessions.find(token);
  if (opened === null) return answerJson(response, 401, 'unknown bearer');
  if (opened === 'over') return answerJson(response, 400, 'the rollout is over');
  const name = pathname.split('/', 3)[2] ?? '';
  const handler = opened.mounts.get(decodeURIComponent(name));
  if (handler === undefined) return answerJson(response, 404, `nothing is mounted at ${pathname}`);
  return serveMount(handler, request, response, `${listener.url}${request.url ?? pathname}`);
}

function refuse(response: ServerResponse, dialect: Dialect, error: CallError): void {
  const { head, body } = dialect.error(error);
  answer(response, head, [body]);
}
