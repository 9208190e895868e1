import type { CallError, Finish } from '../../call.ts';
import type { ModelCall } from '../model-call.ts';
import { writeColumn } from './columns.ts';
import { compact, orNone, withUnknown } from './json-object.ts';
import type { JsonObject } from './json-object.ts';
import { writeOrigins } from './origins.ts';
import { writeRequestShape, writeSampling } from './settings.ts';
import { writeUsage } from './usage.ts';
import { writeWeights } from './weights.ts';

/** The calls as the verifiers models take them, and the rest of them for `info.vf`. */
export interface CallRecords {
  readonly calls: readonly JsonObject[];
  /** What requests have in common, each form once; calls name theirs by index. */
  readonly forms: readonly JsonObject[] | undefined;
  /** What made their tokens, each once; a column names it by index. */
  readonly origins: readonly JsonObject[] | undefined;
  /** One list per field, aligned with `calls`. */
  readonly columns: JsonObject | undefined;
}

export function writeCalls(calls: readonly ModelCall[]): CallRecords {
  const forms = new Map<string, { readonly at: number; readonly form: JsonObject }>();
  const formOf = calls.map((call) => {
    const form = writeForm(call);
    const key = JSON.stringify(form);
    const known = forms.get(key) ?? { at: forms.size, form };
    forms.set(key, known);
    return known.at;
  });
  const { origins, of: originOf } = writeOrigins(calls);
  return {
    calls: calls.map((call, at) => writeCall(call, formOf[at] !== formOf[at - 1])),
    forms: forms.size === 0 ? undefined : [...forms.values()].map(({ form }) => form),
    origins,
    columns: orNone(writeColumns(calls, formOf, originOf)),
  };
}

/** Name of a column, a call's value in it, and what a reader assumes where there is no such column. */
const columns: readonly (readonly [
  string,
  (call: ModelCall) => unknown,
  ((call: ModelCall) => unknown)?,
])[] = [
  ['finish', (call) => (isWireFinish(call.finish) ? null : call.finish)],
  ['raw_finish', (call) => call.rawFinish, (call) => call.finish],
  ['status', (call) => call.status ?? 0, (call) => assumedStatus(call.error)],
  ['attempt', (call) => call.attempt, () => 1],
  ['first_byte', (call) => call.firstByte],
  ['cost', (call) => call.cost, wireCost],
  ['priced_here', (call) => isPricedHere(call) || null],
  ['cache_write_tokens', (call) => call.usage?.cacheWriteTokens],
  ['retry_after_ms', (call) => call.error?.retryAfterMs],
  ['response_id', (call) => call.responseId],
  ['partial', (call) => call.partial],
  ['weights', (call) => writeWeights(call.weights)],
  ['malformed_calls', (call) => call.counts?.malformedCalls],
  ['spelled_controls', (call) => call.counts?.spelledControls],
];

function writeColumns(
  calls: readonly ModelCall[],
  formOf: readonly number[],
  originOf: readonly (number | null)[],
): JsonObject {
  const written: Record<string, unknown> = {};
  if (formOf.some((form) => form !== 0)) written['form'] = formOf;
  if (originOf.some((origin) => origin !== null)) written['origin'] = originOf;
  for (const [name, valueOf, assumedOf] of columns) {
    const column = writeColumn(calls, valueOf, assumedOf);
    if (column !== undefined) written[name] = column;
  }
  return written;
}

function writeForm(call: ModelCall): JsonObject {
  const sent = call.settings.model;
  return compact({
    dialect: call.dialect,
    endpoint: call.endpoint || undefined,
    requested_model: call.requestedModel === sent ? undefined : call.requestedModel,
    model: call.model === sent ? undefined : call.model,
    ...writeRequestShape(call.settings),
  });
}

/** The endpoint stands on the first of calls in one form: said each time, it is a tenth of the rest. */
function writeCall(call: ModelCall, isNewForm: boolean): JsonObject {
  const record = compact({
    node: call.node,
    model: call.settings.model || undefined,
    sampling: orNone(writeSampling(call.settings)),
    endpoint: isNewForm ? call.endpoint || undefined : undefined,
    finish_reason: isWireFinish(call.finish) ? call.finish : undefined,
    usage: call.usage === null ? undefined : writeUsage(call.usage, call.cost),
    time: { start: call.start, end: call.end },
    error: call.error === null ? undefined : writeCallError(call.error),
  });
  return withUnknown(record, call.unknown);
}

function writeCallError(error: CallError): JsonObject {
  return { type: error.code, message: error.message, status_code: error.status };
}

/** Finish reasons that the verifiers models know. */
export const wireFinishes = ['stop', 'length', 'tool_calls'] as const;

function isWireFinish(finish: Finish | null): boolean {
  return wireFinishes.some((known) => known === finish);
}

/** The status of a call that says nothing else; 0: there was no answer. */
export function assumedStatus(error: CallError | null): number {
  return error === null ? 200 : error.status;
}

function wireCost(call: ModelCall): number | null {
  return call.usage === null ? null : (call.usage.cost ?? call.cost);
}

/** The cost beside the usage is ours, from a price list, not the provider's. */
function isPricedHere(call: ModelCall): boolean {
  return call.usage !== null && call.usage.cost === undefined && call.cost !== null;
}
