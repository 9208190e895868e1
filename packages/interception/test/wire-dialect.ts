import type {
  AssistantMessage,
  CallError,
  Dialect,
  Finish,
  ReadReply,
  ReaderOptions,
  ReplyReader,
  ReplyWriter,
  SseEvent,
  Usage,
  WriterOptions,
} from '@vf/core';
import { tinyFormat } from './tiny-dialect.ts';

/** One event of a streamed reply, or all of a plain one. */
interface Piece {
  readonly id?: string;
  readonly model?: string;
  readonly text?: string;
  readonly finish?: Finish;
  readonly usage?: Usage;
  readonly error?: CallError;
}

/**
 * A dialect with a reply side as small as can be: `data: {"text": …}` events, a finish event, a usage event that the
 * request asks for with `usage: true`, and `data: [DONE]`.
 */
export const wireDialect: Dialect = {
  kind: 'dialect',
  specVersion: 1,
  id: 'wire',
  routes: [
    { method: 'POST', path: /\/v1\/turns$/, kind: 'turn' },
    { method: 'POST', path: /\/v1\/count$/, kind: 'count-tokens' },
    { method: 'GET', path: /\/v1\/models$/, kind: 'models' },
    { method: 'HEAD', path: /^\/$/, kind: 'probe' },
    { method: 'GET', path: /\/v1\/turns\/[^/]+$/, kind: 'refused' },
  ],
  turnPath: () => '/v1/turns',
  secret(headers, url) {
    const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'x-api-key');
    const value = at < 0 ? undefined : headers[at + 1];
    if (value !== undefined) return { value, header: 'x-api-key' };
    const key = url.searchParams.get('key');
    return key === null ? null : { value: key, query: 'key' };
  },
  authorize: (key) => ['x-api-key', key],
  request: {
    ...tinyFormat,
    edits(want, top, path) {
      const isAsked = top['usage'] === true || want.includeUsage !== true;
      return [
        ...tinyFormat.edits(want, top, path),
        ...(isAsked ? [] : [{ key: 'usage', value: true }]),
      ];
    },
  },
  reader,
  writer,
  error: (error) => ({
    head: {
      status: error.status,
      headers: ['content-type', 'application/json', 'x-should-retry', 'false'],
    },
    body: Buffer.from(JSON.stringify({ error })),
  }),
  errorEvent: (error) => Buffer.from(`data: ${JSON.stringify({ error })}\n\n`),
  keepAlive: () => Buffer.from(': keep-alive\n'),
  models: (models) => Buffer.from(JSON.stringify({ data: models.map((id) => ({ id })) })),
};

function reader({ stream, head, edits }: ReaderOptions): ReplyReader {
  const dropsUsage = edits.some((edit) => 'key' in edit && edit.key === 'usage');
  let seen: Piece = {};
  let isParsed = true;
  let isEnded = !stream;
  return {
    push({ data }: SseEvent) {
      if (stream && data === '[DONE]') {
        isEnded = true;
        return { phase: 'terminal' };
      }
      const piece = parsed(data);
      isParsed = piece !== null;
      seen = { ...seen, ...piece, text: (seen.text ?? '') + (piece?.text ?? '') };
      if (stream && piece === null && data !== '') return { phase: 'more', error: malformed };
      if (stream && piece?.error !== undefined) return { phase: 'terminal', error: piece.error };
      const drops = stream && piece?.usage !== undefined && dropsUsage;
      return {
        phase: seen.finish === undefined ? 'more' : 'finished',
        ...(drops ? { drop: true } : {}),
      };
    },
    end() {
      const message: AssistantMessage | null =
        seen.text === undefined ? null : { role: 'assistant', content: seen.text };
      const error = seen.error ?? (head.status >= 400 ? failure(head.status) : null);
      const whole = stream ? isEnded || seen.finish !== undefined : isParsed && error === null;
      return replyOf(seen, message, error, whole);
    },
  };
}

function replyOf(
  seen: Piece,
  message: AssistantMessage | null,
  error: CallError | null,
  whole: boolean,
): ReadReply {
  return {
    message,
    finish: seen.finish ?? null,
    rawFinish: seen.finish ?? null,
    usage: seen.usage ?? null,
    model: seen.model ?? null,
    id: seen.id ?? null,
    error,
    whole,
  };
}

function failure(status: number): CallError {
  const code = status === 429 ? 'rate_limit' : status >= 500 ? 'provider' : 'invalid';
  return { status, code, message: `status ${status}` };
}

const malformed: CallError = { status: 200, code: 'malformed', message: 'no JSON' };

function parsed(data: string): Piece | null {
  try {
    return JSON.parse(data) as Piece;
  } catch {
    return null;
  }
}

function writer({ stream, newId }: WriterOptions): ReplyWriter {
  const event = (piece: object): string => `data: ${JSON.stringify(piece)}\n\n`;
  return {
    delta: (delta) => Buffer.from(delta.type === 'text' ? event({ text: delta.text }) : ''),
    end({ message, finish, usage, model }) {
      const closing = { id: newId('w_'), model, finish, usage };
      if (stream) return Buffer.from(`${event(closing)}data: [DONE]\n\n`);
      return Buffer.from(JSON.stringify({ ...closing, text: message?.content ?? '' }));
    },
  };
}
