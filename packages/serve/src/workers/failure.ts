import { isObject, parseJson, stringOf } from '@vf/core/dialect';
import { VfError, errorCodes } from '@vf/core/errors';
import type { ErrorCode } from '@vf/core/errors';

/** What went wrong in a worker, for the server. */
export function packFailure({ code, message, hint }: VfError): Buffer {
  return Buffer.from(JSON.stringify({ code, message, hint }));
}

/** What `packFailure` wrote. */
export function readFailure(body: Buffer): VfError {
  const text = body.toString();
  const told = parseJson(text);
  if (!isObject(told)) return new VfError('internal/unexpected', text);
  const code = stringOf(told['code']) ?? '';
  const hint = stringOf(told['hint']);
  return new VfError(
    isCode(code) ? code : 'internal/unexpected',
    stringOf(told['message']) ?? text,
    hint === null ? {} : { hint },
  );
}

function isCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCodes, code);
}
