import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallError, Dialect } from '@vf/core';
import { answer } from '../http/answer.ts';
import { headerOf } from '../http/raw-headers.ts';
import { readBody } from '../http/read-body.ts';
import { UnpackError, encodingsOf, unpackWhole } from '../request/unpack.ts';

const tooLarge: CallError = {
  status: 413,
  code: 'invalid',
  message: 'the request body is too large',
};

/** The unpacked bytes of a request; null when it was answered with an error, or its sender is gone. */
export async function takeBody(
  request: IncomingMessage,
  response: ServerResponse,
  dialect: Dialect,
  limit: number,
): Promise<readonly Uint8Array[] | null> {
  const body = await readBody(request, limit);
  if (body === 'cut') return null;
  if (body === 'too-large') return refuse(response, dialect, tooLarge);
  const encoding = headerOf(request.rawHeaders, 'content-encoding') ?? undefined;
  if (encodingsOf(encoding).length === 0) return body;
  try {
    return await unpackWhole(body, encoding, { limit });
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error;
    if (error.reason === 'too-large') return refuse(response, dialect, tooLarge);
    const status = error.reason === 'damaged' ? 400 : 415;
    return refuse(response, dialect, { status, code: 'invalid', message: error.message });
  }
}

function refuse(response: ServerResponse, dialect: Dialect, error: CallError): null {
  const { head, body } = dialect.error(error);
  // What is still on its way is not worth reading.
  answer(response, { ...head, headers: [...head.headers, 'connection', 'close'] }, [body]);
  return null;
}
