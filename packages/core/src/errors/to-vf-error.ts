import type { ErrorCode } from './codes.ts';
import { VfError } from './vf-error.ts';

/** The error itself when it is one of ours, else `code` around it with its message. */
export function toVfError(cause: unknown, code: ErrorCode, where: string, hint?: string): VfError {
  if (VfError.isInstance(cause)) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new VfError(
    code,
    `${where}: ${message}`,
    hint === undefined ? { cause } : { cause, hint },
  );
}
