import type { CallError } from '../call.ts';
import { callErrorOf } from '../dialect-kit/call-error.ts';
import { numberOf, objectOf, stringOf } from '../dialect-kit/json.ts';

/** What a model threw, as the error of its call: SDKs carry the HTTP status and the provider's own code along. */
export function errorOfThrown(thrown: unknown): CallError {
  const fields = objectOf(thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (fields['name'] === 'AbortError') return { status: 0, code: 'aborted', message };
  const status = numberOf(fields['status']) ?? numberOf(fields['statusCode']) ?? 0;
  const body = { message, type: stringOf(fields['type']), code: stringOf(fields['code']) };
  const known = callErrorOf({ status, headers: [] }, { error: body });
  return { ...known, status };
}
