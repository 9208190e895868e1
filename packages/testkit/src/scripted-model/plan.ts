import type { Usage } from '@vf/core';
import { completionFormat } from './engine/completion.ts';
import { chatFormat } from './replies/chat-completions.ts';
import type { ReplyFacts, ReplyFormat, WireEvent } from './replies/encoder.ts';
import { messagesFormat } from './replies/messages.ts';
import { responsesFormat } from './replies/responses.ts';
import type { ContentStep, CutStep, Delivery, Step, Wire } from './script.ts';

const formats: Readonly<Record<Wire, ReplyFormat>> = {
  'chat-completions': chatFormat,
  responses: responsesFormat,
  messages: messagesFormat,
  'llama.cpp': completionFormat,
};

/** What goes over the wire, in order. */
export type Frame =
  | { readonly type: 'event'; readonly event: WireEvent }
  | { readonly type: 'comment'; readonly text: string }
  | { readonly type: 'pause'; readonly ms: number };

/** A reply ready to be sent; `body` of a plain one is text, of a streamed one frames. */
export interface ReplyPlan {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | readonly Frame[];
  readonly delivery: Delivery;
  readonly cut: CutStep['how'] | null;
}

export type Plan = ReplyPlan | { readonly hang: true } | { readonly hangUp: { reset: boolean } };

/** The request's part in the reply. */
export interface PlanInput {
  readonly dialect: Wire;
  readonly stream: boolean;
  readonly model: string;
  /** Number of the call: ids are made of it. */
  readonly call: number;
  readonly bodyBytes: number;
  readonly includeUsage: boolean;
  /** Most ids of an engine's reply; null: any number. */
  readonly limit: number | null;
}

/** Turns the steps of a reply into what is sent. */
export function planReply(steps: readonly Step[], input: PlanInput): Plan {
  if (steps.some((step) => step.type === 'hang')) return { hang: true };
  const hangUp = last(steps, 'hang-up');
  if (hangUp !== undefined) return { hangUp };
  const delivery = last(steps, 'delivery')?.delivery ?? {};
  const failure = last(steps, 'fail');
  if (failure !== undefined)
    return plainPlan(failure.status, failureBody(failure, input), delivery, steps, failure.headers);
  const facts = factsOf(steps, input);
  if (input.stream) return streamPlan(steps, formats[input.dialect], facts, delivery);
  const error = last(steps, 'error');
  const format = formats[input.dialect];
  const body =
    error === undefined
      ? format.plain(facts, steps.filter(isContent))
      : format.error(500, error.code, error.message);
  return plainPlan(200, JSON.stringify(body), delivery, steps);
}

function plainPlan(
  status: number,
  body: string,
  delivery: Delivery,
  steps: readonly Step[],
  headers: Readonly<Record<string, string>> = {},
): ReplyPlan {
  const cut = last(steps, 'cut');
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers, ...delivery.headers },
    body: cut === undefined ? body : body.slice(0, body.length / 2),
    delivery,
    cut: cut?.how ?? null,
  };
}

function streamPlan(
  steps: readonly Step[],
  format: ReplyFormat,
  facts: ReplyFacts,
  delivery: Delivery,
): ReplyPlan {
  const cut = last(steps, 'cut');
  const frames = framesOf(steps, format, facts);
  return {
    status: 200,
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      ...delivery.headers,
    },
    body: cut === undefined ? frames : shorten(frames, cut.afterEvents),
    delivery,
    cut: cut?.how ?? null,
  };
}

function framesOf(steps: readonly Step[], format: ReplyFormat, facts: ReplyFacts): Frame[] {
  const encoder = format.stream(facts);
  const frames = encoder.open().map(eventFrame);
  for (const step of steps) {
    if (step.type === 'pause' || step.type === 'comment') frames.push(step);
    else if (isContent(step)) frames.push(...encoder.content(step).map(eventFrame));
    else if (step.type === 'ping') {
      const event = encoder.ping();
      frames.push(event === null ? { type: 'comment', text: 'keepalive' } : eventFrame(event));
    } else if (step.type === 'error') {
      return [...frames, ...encoder.error(step.code, step.message).map(eventFrame)];
    }
  }
  return [...frames, ...encoder.close().map(eventFrame)];
}

function eventFrame(event: WireEvent): Frame {
  return { type: 'event', event };
}

function shorten(frames: readonly Frame[], afterEvents: number): readonly Frame[] {
  const events = frames.filter((frame) => frame.type === 'event').length;
  let left = afterEvents < 0 ? events + afterEvents : afterEvents;
  const end = frames.findIndex((frame) => frame.type === 'event' && left-- <= 0);
  return end < 0 ? frames : frames.slice(0, end);
}

function factsOf(steps: readonly Step[], input: PlanInput): ReplyFacts {
  const format = formats[input.dialect];
  const identity = last(steps, 'identity');
  const told = last(steps, 'usage');
  const calls = steps.some((step) => step.type === 'call');
  return {
    id: identity?.id ?? `${format.idPrefix}${input.call}`,
    model: identity?.model ?? input.model,
    finish: format.finish(last(steps, 'finish')?.reason ?? (calls ? 'tool_calls' : 'stop')),
    usage: told === undefined ? estimatedUsage(steps, input.bodyBytes) : told.usage,
    usagePlace: told?.place ?? 'own',
    includeUsage: input.includeUsage,
    limit: input.limit,
    created: 1_700_000_000,
  };
}

/** A quarter token per byte: the same figures for the same bytes. */
function estimatedUsage(steps: readonly Step[], bodyBytes: number): Usage {
  const said = steps.map((step) =>
    step.type === 'text' || step.type === 'reasoning'
      ? step.text
      : step.type === 'call'
        ? step.arguments
        : '',
  );
  return {
    inputTokens: Math.ceil(bodyBytes / 4),
    outputTokens: Math.max(1, Math.ceil(said.join('').length / 4)),
  };
}

function failureBody(failure: Extract<Step, { type: 'fail' }>, input: PlanInput): string {
  if (typeof failure.body === 'string') return failure.body;
  const { status, code, message = `scripted failure ${status}` } = failure;
  return JSON.stringify(failure.body ?? formats[input.dialect].error(status, code, message));
}

function isContent(step: Step): step is ContentStep {
  return (
    step.type === 'text' ||
    step.type === 'reasoning' ||
    step.type === 'call' ||
    step.type === 'event'
  );
}

function last<Type extends Step['type']>(
  steps: readonly Step[],
  type: Type,
): Extract<Step, { type: Type }> | undefined {
  return steps.findLast((step): step is Extract<Step, { type: Type }> => step.type === type);
}
