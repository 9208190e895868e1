import type { Usage } from '@vf/core';
import type { ContentStep } from '../script.ts';
import { custom, partId, piecesOf, typed } from './encoder.ts';
import type { ReplyFacts, ReplyFormat, StreamEncoder, WireEvent } from './encoder.ts';

/** Messages, as Anthropic writes it. */
export const messagesFormat: ReplyFormat = {
  idPrefix: 'msg_',
  finish: (reason) => finishes[reason] ?? reason,
  stream: (facts) => new MessagesStream(facts),
  plain,
  error: (status, code, message) => errorBody(code ?? errorTypes[status] ?? 'api_error', message),
};

const finishes: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

class MessagesStream implements StreamEncoder {
  readonly #facts: ReplyFacts;
  #blocks = 0;

  constructor(facts: ReplyFacts) {
    this.#facts = facts;
  }

  open(): WireEvent[] {
    const { usage } = this.#facts;
    const provisional = usage === null ? {} : { usage: { ...inputUsage(usage), output_tokens: 1 } };
    const message = { ...head(this.#facts), content: [], stop_reason: null, stop_sequence: null };
    return [typed({ type: 'message_start', message: { ...message, ...provisional } })];
  }

  content(step: ContentStep): WireEvent[] {
    switch (step.type) {
      case 'text':
        return this.#block(
          { type: 'text', text: '' },
          piecesOf(step.text, step.pieces).map((text) => ({ type: 'text_delta', text })),
        );
      case 'reasoning':
        return this.#reasoning(step);
      case 'call':
        return this.#block(
          { ...callHead(this.#facts, step, this.#blocks), input: {} },
          piecesOf(step.arguments, step.pieces).map((partial_json) => ({
            type: 'input_json_delta',
            partial_json,
          })),
        );
      default:
        return [custom(step)];
    }
  }

  close(): WireEvent[] {
    const { finish, usage } = this.#facts;
    const delta = { stop_reason: finish, stop_sequence: null };
    const said = usage === null ? {} : { usage: { output_tokens: usage.outputTokens } };
    return [typed({ type: 'message_delta', delta, ...said }), typed({ type: 'message_stop' })];
  }

  ping(): WireEvent {
    return typed({ type: 'ping' });
  }

  error(code: string, message: string): WireEvent[] {
    return [typed(errorBody(code, message))];
  }

  #reasoning(step: Extract<ContentStep, { type: 'reasoning' }>): WireEvent[] {
    if (step.encrypted !== undefined) {
      return this.#block({ type: 'redacted_thinking', data: step.encrypted }, []);
    }
    const deltas = piecesOf(step.text, step.pieces).map((thinking) => ({
      type: 'thinking_delta',
      thinking,
    }));
    const signature = { type: 'signature_delta', signature: step.signature ?? 'scripted==' };
    return this.#block({ type: 'thinking', thinking: '', signature: '' }, [...deltas, signature]);
  }

  #block(block: object, deltas: readonly object[]): WireEvent[] {
    const index = this.#blocks++;
    return [
      typed({ type: 'content_block_start', index, content_block: block }),
      ...deltas.map((delta) => typed({ type: 'content_block_delta', index, delta })),
      typed({ type: 'content_block_stop', index }),
    ];
  }
}

function plain(facts: ReplyFacts, content: readonly ContentStep[]): unknown {
  const { usage } = facts;
  return {
    ...head(facts),
    content: content.flatMap((step, index) => plainBlock(facts, step, index)),
    stop_reason: facts.finish,
    stop_sequence: null,
    ...(usage === null
      ? {}
      : { usage: { ...inputUsage(usage), output_tokens: usage.outputTokens } }),
  };
}

function plainBlock(facts: ReplyFacts, step: ContentStep, index: number): object[] {
  switch (step.type) {
    case 'text':
      return [{ type: 'text', text: step.text }];
    case 'reasoning':
      if (step.encrypted !== undefined)
        return [{ type: 'redacted_thinking', data: step.encrypted }];
      return [{ type: 'thinking', thinking: step.text, signature: step.signature ?? 'scripted==' }];
    case 'call':
      return [{ ...callHead(facts, step, index), input: parsed(step.arguments) }];
    default:
      return [];
  }
}

/** Broken arguments have no plain form; their text stands in for the object. */
function parsed(json: string): unknown {
  try {
    return json === '' ? {} : (JSON.parse(json) as unknown);
  } catch {
    return json;
  }
}

function callHead(
  facts: ReplyFacts,
  step: Extract<ContentStep, { type: 'call' }>,
  index: number,
): object {
  return {
    type: 'tool_use',
    id: step.id ?? partId('toolu', facts.id, index),
    name: step.name,
  };
}

function head({ id, model }: ReplyFacts): object {
  return { id, type: 'message', role: 'assistant', model };
}

/** The buckets are disjoint here, where canonical input tokens hold all of them. */
function inputUsage(usage: Usage): object {
  const cached = usage.cachedInputTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  return {
    input_tokens: usage.inputTokens - cached - written,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
  };
}

function errorBody(type: string, message: string) {
  return { type: 'error', error: { type, message } };
}
