import type { Head, ReadReply } from '../contract/dialect.ts';
import { callErrorOf, isErrorBody } from './call-error.ts';
import { isObject, parseJson } from './json.ts';
import type { JsonObject } from './json.ts';
import { malformed } from './malformed.ts';
import { noReply } from './plain-reader.ts';

/** A reply in one piece: an error of the provider or no JSON object is told as such, `read` understands the rest. */
export function readPlainBody(
  head: Head,
  data: string,
  read: (body: JsonObject) => ReadReply,
): ReadReply {
  const body = parseJson(data);
  if (head.status >= 400 || isErrorBody(body)) {
    return { ...noReply, error: callErrorOf(head, body ?? data), whole: true };
  }
  if (!isObject(body)) return { ...noReply, error: malformed(head, 'the reply is no JSON object') };
  return read(body);
}
