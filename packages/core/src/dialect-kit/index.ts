export { callErrorOf, isErrorBody } from './call-error.ts';
export { headerOf, retryAfterMs, secretOf } from './headers.ts';
export { isObject, jsonOf, listOf, numberOf, objectOf, omit, parseJson, stringOf } from './json.ts';
export type { JsonObject } from './json.ts';
export { sameArguments } from './same-arguments.ts';
export { joinBytes, sseBytes } from './sse.ts';
