import type { CallError, CallErrorCode, Settings, Usage } from '../../call.ts';
import type { TokenOrigin } from '../../contract/turn-tokens.ts';
import type { ModelCall } from '../model-call.ts';
import { Columns } from './columns.ts';
import { boolean, damaged, index, integer, number, string } from './fields.ts';
import type { Fields } from './fields.ts';
import { isObject, orNone } from './json-object.ts';
import { readOrigins } from './origins.ts';
import { readRequestShape, readSampling } from './settings.ts';
import { readUsage } from './usage.ts';
import { readWeights, weightEnds } from './weights.ts';
import { assumedStatus, wireFinishes } from './write-calls.ts';

/** @param vf `info.vf` of the record, when it is there */
export function readCalls(records: readonly Fields[], vf: Fields | undefined): ModelCall[] {
  const forms = (vf?.children('forms') ?? []).map(readForm);
  const origins = readOrigins(vf);
  const columns = columnsOf(new Columns(vf?.child('calls'), records.length));
  return records.map((fields, at) => {
    const form = forms[columns.form(at) ?? 0];
    const origin = originAt(origins, columns.origin(at) ?? null, at);
    const call = { ...readCall(fields, at, columns, form), ...origin };
    const unknown = fields.rest();
    return unknown === undefined ? call : { ...call, unknown };
  });
}

function originAt(
  origins: readonly TokenOrigin[],
  place: number | null,
  call: number,
): Pick<ModelCall, 'origin'> {
  if (place === null) return {};
  const origin = origins[place];
  if (origin !== undefined) return { origin };
  return damaged(`info.vf.calls.origin[${call}]`, `${place} is none of ${origins.length} origins`);
}

type CallColumns = ReturnType<typeof columnsOf>;

function columnsOf(columns: Columns) {
  return {
    form: columns.of('form', index),
    origin: columns.of('origin', index),
    finish: columns.of('finish', contentFilter),
    rawFinish: columns.of('raw_finish', string),
    status: columns.of('status', index),
    attempt: columns.of('attempt', integer),
    firstByte: columns.of('first_byte', number),
    cost: columns.of('cost', number),
    isPricedHere: columns.of('priced_here', boolean),
    cacheWriteTokens: columns.of('cache_write_tokens', integer),
    retryAfterMs: columns.of('retry_after_ms', number),
    responseId: columns.of('response_id', string),
    partial: columns.of('partial', string),
    weights: columns.of('weights', weightEnds),
    malformedCalls: columns.of('malformed_calls', index),
    spelledControls: columns.of('spelled_controls', index),
  };
}

interface Form {
  readonly dialect: string | undefined;
  readonly endpoint: string | undefined;
  readonly requestedModel: string | undefined;
  readonly model: string | undefined;
  readonly settings: Partial<Settings>;
}

function readForm(fields: Fields): Form {
  return {
    dialect: fields.optional('dialect', string),
    endpoint: fields.optional('endpoint', string),
    requestedModel: fields.optional('requested_model', string),
    model: fields.optional('model', string),
    settings: readRequestShape(fields),
  };
}

function readCall(
  fields: Fields,
  at: number,
  columns: CallColumns,
  form: Form | undefined,
): ModelCall {
  const endpoint = readEndpoint(fields, form);
  const sent = fields.optional('model', string) ?? '';
  const sampling = readSampling(samplingOf(fields));
  const finish = columns.finish(at) ?? fields.oneOf('finish_reason', wireFinishes) ?? null;
  const error = readCallError(fields.child('error'), columns.retryAfterMs(at));
  const status = columns.status(at) ?? assumedStatus(error);
  const time = fields.child('time');
  const rawFinish = columns.rawFinish(at);
  const partial = columns.partial(at);
  const responseId = columns.responseId(at);
  const weights = columns.weights(at);
  const malformedCalls = columns.malformedCalls(at);
  const spelledControls = columns.spelledControls(at);
  return {
    node: fields.optional('node', index) ?? null,
    dialect: form?.dialect ?? dialectOf(endpoint),
    endpoint,
    requestedModel: form?.requestedModel ?? sent,
    model: form?.model ?? sent,
    settings: { model: sent, stream: false, ...sampling, ...form?.settings },
    finish,
    rawFinish: rawFinish === undefined ? finish : rawFinish,
    ...readSpending(fields.child('usage'), at, columns),
    status: status === 0 ? null : status,
    attempt: columns.attempt(at) ?? 1,
    start: time?.optional('start', number) ?? 0,
    end: time?.optional('end', number) ?? 0,
    firstByte: columns.firstByte(at) ?? null,
    error,
    ...(partial == null ? {} : { partial }),
    ...(responseId == null ? {} : { responseId }),
    ...(weights == null ? {} : { weights: readWeights(weights) }),
    ...(malformedCalls == null || spelledControls == null
      ? {}
      : { counts: { malformedCalls, spelledControls } }),
  };
}

/** A record of the peer has no forms: its endpoint stays unknown as well, to be written as it was. */
function readEndpoint(fields: Fields, form: Form | undefined): string {
  if (form !== undefined) {
    fields.optional('endpoint', string);
    return form.endpoint ?? '';
  }
  const endpoint = fields.peek('endpoint');
  return string.is(endpoint) ? endpoint : '';
}

/** The peer writes {} where we write nothing; it stays unknown, to be written as it was. */
function samplingOf(fields: Fields): Fields | undefined {
  const sampling = fields.peek('sampling');
  return isObject(sampling) && orNone(sampling) === undefined
    ? undefined
    : fields.child('sampling');
}

function readSpending(
  fields: Fields | undefined,
  at: number,
  columns: CallColumns,
): { readonly usage: Usage | null; readonly cost: number | null } {
  const ownCost = columns.cost(at);
  if (fields === undefined) return { usage: null, cost: ownCost ?? null };
  const usage = readUsage(fields, columns.cacheWriteTokens(at));
  const { cost = null, ...unpriced } = usage;
  return {
    usage: columns.isPricedHere(at) === true ? unpriced : usage,
    cost: ownCost === undefined ? cost : ownCost,
  };
}

function readCallError(
  fields: Fields | undefined,
  retryAfterMs: number | null | undefined,
): CallError | null {
  if (fields === undefined) return null;
  return {
    status: fields.optional('status_code', index) ?? 0,
    code: fields.oneOf('type', callErrorCodes) ?? 'provider',
    message: fields.required('message', string),
    ...(retryAfterMs == null ? {} : { retryAfterMs }),
  };
}

const callErrorCodes = Object.keys({
  rate_limit: true,
  overloaded: true,
  auth: true,
  not_found: true,
  context_length: true,
  refused: true,
  invalid: true,
  provider: true,
  unreachable: true,
  cut: true,
  malformed: true,
  no_sample: true,
  not_renderable: true,
  aborted: true,
} satisfies Record<CallErrorCode, true>) as CallErrorCode[];

const contentFilter = {
  name: '"content_filter"',
  is: (value: unknown): value is 'content_filter' => value === 'content_filter',
};

/** Records of the Python peer do not name the dialect; the path says it. */
function dialectOf(endpoint: string): string {
  const path = endpoint.split('?', 1)[0] ?? '';
  if (path.endsWith('/chat/completions')) return 'chat-completions';
  if (path.endsWith('/responses')) return 'responses';
  return path.endsWith('/messages') ? 'messages' : '';
}
