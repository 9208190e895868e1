export { callErrorOf, isErrorBody } from './call-error.ts';
export { errorHeaders, headerOf, retryAfterMs, secretOf } from './headers.ts';
export {
  booleanOf,
  isObject,
  jsonOf,
  listOf,
  numberOf,
  objectOf,
  omit,
  parseJson,
  present,
  stringOf,
} from './json.ts';
export type { JsonObject } from './json.ts';
export { malformed, malformedEvent } from './malformed.ts';
export { countWritten, missingDeltas, noneWritten } from './missing-deltas.ts';
export { PlainReader, noReply } from './plain-reader.ts';
export { readPlainBody } from './read-plain.ts';
export { sameArguments } from './same-arguments.ts';
export { sameReply } from './same-reply.ts';
export { joinBytes, sseBytes } from './sse.ts';
export { sameJson, stableJson } from './stable-json.ts';
export { keepWrittenNumbers, writtenNumber } from './written-numbers.ts';
