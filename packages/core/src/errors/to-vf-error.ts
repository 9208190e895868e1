import type { ErrorCode } from './codes.ts';
import { VfError } from './vf-error.ts';

/** The error itself when it is one of ours, else `code` around it with its message. */
export function toVfError(cause: unknown, code: ErrorCode, where: string, hint?: string): VfError {
  if (VfError.isInstance(cause)) return cause;
  return new VfError(
    code,
    `${where}: ${wordsOf(cause)}`,
    hint === undefined ? { cause } : { cause, hint },
  );
}

/** What was thrown, as text: anything can be thrown, also what cannot be read. */
function wordsOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return 'an error that cannot be put into words';
  }
}
