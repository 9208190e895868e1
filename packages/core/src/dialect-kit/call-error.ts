import type { CallError, CallErrorCode } from '../call.ts';
import type { Head } from '../contract/dialect.ts';
import { isObject, listOf, numberOf, objectOf, stringOf } from './json.ts';
import type { JsonObject } from './json.ts';
import { retryAfterMs } from './headers.ts';

/** What an error body says, whichever provider spelt it. */
interface Complaint {
  readonly message: string;
  /** `type`, `code` and `status` of the error, lower case, joined by spaces. */
  readonly marks: string;
  /** A code that is an HTTP status. */
  readonly status: number | null;
}

/** What providers say when the prompt does not fit: OpenAI, Anthropic, Google, vLLM, SGLang, llama.cpp, Mistral, xAI. */
const tooLong =
  /prompt (is )?too long|context[_ -]?(length|window|size)|exceed_context|maximum (context|model|prompt) length|maximum number of (input )?tokens|longer than the (model|maximum)|input (is )?too long|too many (input |prompt )?tokens|exceeds? (the )?(model'?s? )?(max(imum)? )?(context|input token)|reduce the length of the (messages|input|prompt)/i;
const tooLongMarks =
  /context_length|context_window|exceed_context|context_size|prompt_too_long|string_above_max_length/;
const refusedMarks =
  /content_filter|content_policy|policy_violation|moderation|safety|responsibleaipolicy|invalid_prompt_content/;

/** The first rule whose pattern is found in an error's marks. The suffix `_error` and case do not matter. */
const byMark: readonly (readonly [RegExp, CallErrorCode])[] = [
  [refusedMarks, 'refused'],
  [
    /insufficient_quota|billing|authentication|permission|invalid_api_key|unauthorized|forbidden|unauthenticated/,
    'auth',
  ],
  [/rate_?limit|resource_exhausted|too_?many_?requests/, 'rate_limit'],
  [/overloaded|unavailable|slow_down/, 'overloaded'],
  [/not_?found/, 'not_found'],
  [/invalid_request|invalid_argument|bad_?request|request_too_large|invalid_prompt/, 'invalid'],
];

/** A status for errors that come in a stream, where HTTP has said 200 already. */
const statusOf: Readonly<Partial<Record<CallErrorCode, number>>> = {
  rate_limit: 429,
  overloaded: 529,
  auth: 401,
  not_found: 404,
  context_length: 400,
  invalid: 400,
  refused: 400,
};

/** Is this parsed reply an error, in any spelling: `{error}`, `{type: "error"}`, `{object: "error"}`, `{detail}`? */
export function isErrorBody(body: unknown): boolean {
  if (!isObject(body)) return false;
  const { error } = body;
  if (isObject(error) || (typeof error === 'string' && error !== '')) return true;
  return (
    body['object'] === 'error' ||
    body['type'] === 'error' ||
    (typeof body['detail'] === 'string' && body['choices'] === undefined)
  );
}

/**
 * The error a provider answered with. `body` is the parsed body, or its text when it is not JSON; `head` is that of
 * the HTTP reply, which says 200 when the error came inside a stream.
 */
export function callErrorOf(head: Head, body: unknown): CallError {
  const complaint = complaintOf(body);
  const code = codeOf(head.status, complaint);
  const status = head.status >= 400 ? head.status : (complaint.status ?? statusOf[code] ?? 500);
  const wait = retryAfterMs(head.headers);
  const message =
    complaint.message.slice(0, longestMessage) || `the provider answered ${head.status}`;
  return { status, code, message, ...(wait === null ? {} : { retryAfterMs: wait }) };
}

/** Characters of a provider's words that are kept. */
const longestMessage = 2_000;

function complaintOf(body: unknown): Complaint {
  if (typeof body === 'string')
    return { message: body.trim().slice(0, longestMessage), marks: '', status: null };
  const outer = objectOf(Array.isArray(body) ? body[0] : body);
  const error: JsonObject = isObject(outer['error']) ? outer['error'] : outer;
  const marks = [
    error['type'],
    error['code'],
    error['status'],
    objectOf(error['innererror'])['code'],
    outer['code'],
  ];
  const status = [error['code'], error['status'], error['status_code']]
    .map(httpStatus)
    .find((found) => found !== null);
  return {
    message: messageOf(error) ?? messageOf(outer) ?? '',
    marks: marks
      .filter((mark) => typeof mark === 'string')
      .join(' ')
      .toLowerCase(),
    status: status ?? null,
  };
}

function messageOf(error: JsonObject): string | null {
  const plain =
    stringOf(error['message']) ??
    stringOf(error['error']) ??
    stringOf(error['detail']) ??
    stringOf(error['msg']);
  if (plain !== null) return plain;
  const details = listOf(error['detail']).map((detail) => stringOf(objectOf(detail)['msg']));
  return details.length > 0 ? details.filter((text) => text !== null).join('; ') : null;
}

function httpStatus(code: unknown): number | null {
  const number = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : numberOf(code);
  return number !== null && number >= 400 && number < 600 ? number : null;
}

function codeOf(httpStatusCode: number, complaint: Complaint): CallErrorCode {
  const status = httpStatusCode >= 400 ? httpStatusCode : (complaint.status ?? 0);
  const isOfThePrompt =
    status === 0 || status === 400 || status === 413 || status === 422 || status === 500;
  if (tooLongMarks.test(complaint.marks)) return 'context_length';
  const marked = byMark.find(([pattern]) => pattern.test(complaint.marks))?.[1];
  if (
    isOfThePrompt &&
    (marked === undefined || marked === 'invalid') &&
    tooLong.test(complaint.message)
  )
    return 'context_length';
  // A bare 400 says less than the error's own type; `insufficient_quota` comes as 429 but no waiting helps.
  if (
    marked !== undefined &&
    (status === 0 || status === 400 || marked === 'refused' || marked === 'auth')
  )
    return marked;
  return codeOfStatus(status) ?? 'provider';
}

function codeOfStatus(status: number): CallErrorCode | null {
  if (status === 0) return null;
  if (status === 401 || status === 402 || status === 403) return 'auth';
  if (status === 404) return 'not_found';
  if (status === 429) return 'rate_limit';
  if (status === 503 || status === 529) return 'overloaded';
  // Providers end a request they could not finish in time with 408, a conflicting one with 409; both pass.
  if (status >= 500 || status === 408 || status === 409) return 'provider';
  return 'invalid';
}
