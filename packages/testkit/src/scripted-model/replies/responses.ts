import type { Usage } from '@vf/core';
import type { ContentStep } from '../script.ts';
import { custom, piecesOf } from './encoder.ts';
import type { ReplyFacts, ReplyFormat, StreamEncoder, WireEvent } from './encoder.ts';
import { openAiError } from './open-ai-error.ts';
import { itemOf, openItem, partOf } from './responses-items.ts';
import type { Item } from './responses-items.ts';

/** Responses, as OpenAI writes it. */
export const responsesFormat: ReplyFormat = {
  idPrefix: 'resp_',
  finish: (reason) => reason,
  stream: (facts) => new ResponsesStream(facts),
  plain: (facts, content) => {
    const steps = content.filter((step) => step.type !== 'event');
    return ended(
      facts,
      steps.map((step, index) => itemOf(facts, step, index)),
    );
  },
  error: openAiError,
};

class ResponsesStream implements StreamEncoder {
  readonly #facts: ReplyFacts;
  readonly #output: Item[] = [];
  #sequence = 0;

  constructor(facts: ReplyFacts) {
    this.#facts = facts;
  }

  open(): WireEvent[] {
    const response = responseOf(this.#facts, 'in_progress', [], null);
    return [
      this.#event('response.created', { response }),
      this.#event('response.in_progress', { response }),
    ];
  }

  content(step: ContentStep): WireEvent[] {
    if (step.type === 'event') return [custom(step)];
    const index = this.#output.length;
    const item = itemOf(this.#facts, step, index);
    this.#output.push(item);
    return [
      this.#event('response.output_item.added', { output_index: index, item: openItem(item) }),
      ...this.#inner(step, { item_id: item.id, output_index: index }),
      this.#event('response.output_item.done', { output_index: index, item }),
    ];
  }

  close(): WireEvent[] {
    const response = ended(this.#facts, this.#output);
    const status = response['status'] === 'incomplete' ? 'incomplete' : 'completed';
    return [this.#event(`response.${status}`, { response })];
  }

  ping(): WireEvent {
    return this.#event('keepalive', {});
  }

  error(code: string, message: string): WireEvent[] {
    const response = {
      ...responseOf(this.#facts, 'failed', this.#output, null),
      error: { code, message },
    };
    return [this.#event('response.failed', { response })];
  }

  #inner(step: Exclude<ContentStep, { type: 'event' }>, at: object): WireEvent[] {
    switch (step.type) {
      case 'text':
        return this.#text(step, { ...at, content_index: 0 });
      case 'reasoning':
        return step.text === '' ? [] : this.#reasoning(step, { ...at, summary_index: 0 });
      default: {
        const kind = step.custom ? 'custom_tool_call_input' : 'function_call_arguments';
        const field = step.custom ? 'input' : 'arguments';
        return [
          ...this.#deltas(`response.${kind}.delta`, at, step),
          this.#event(`response.${kind}.done`, { ...at, [field]: step.arguments }),
        ];
      }
    }
  }

  #text(step: Extract<ContentStep, { type: 'text' }>, at: object): WireEvent[] {
    const { text } = step;
    return [
      this.#event('response.content_part.added', { ...at, part: partOf('') }),
      ...piecesOf(text, step.pieces).map((delta) =>
        this.#event('response.output_text.delta', { ...at, delta, logprobs: [] }),
      ),
      this.#event('response.output_text.done', { ...at, text, logprobs: [] }),
      this.#event('response.content_part.done', { ...at, part: partOf(text) }),
    ];
  }

  #reasoning(step: Extract<ContentStep, { type: 'reasoning' }>, at: object): WireEvent[] {
    const part = (text: string): object => ({ type: 'summary_text', text });
    const { text } = step;
    return [
      this.#event('response.reasoning_summary_part.added', { ...at, part: part('') }),
      ...piecesOf(text, step.pieces).map((delta) =>
        this.#event('response.reasoning_summary_text.delta', { ...at, delta }),
      ),
      this.#event('response.reasoning_summary_text.done', { ...at, text }),
      this.#event('response.reasoning_summary_part.done', { ...at, part: part(text) }),
    ];
  }

  #deltas(type: string, at: object, step: Extract<ContentStep, { type: 'call' }>): WireEvent[] {
    return piecesOf(step.arguments, step.pieces).map((delta) =>
      this.#event(type, { ...at, delta }),
    );
  }

  #event(type: string, fields: object): WireEvent {
    const data = { type, sequence_number: this.#sequence++, ...fields };
    return { name: type, data: JSON.stringify(data) };
  }
}

function ended(facts: ReplyFacts, output: readonly Item[]): Readonly<Record<string, unknown>> {
  const reason = incomplete[facts.finish] ?? null;
  if (reason === null) return responseOf(facts, 'completed', output, facts.usage);
  return {
    ...responseOf(facts, 'incomplete', output, facts.usage),
    incomplete_details: { reason },
  };
}

/** Finish reasons that leave a response incomplete; the dialect's own reasons stand for themselves. */
const incomplete: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
  max_output_tokens: 'max_output_tokens',
  max_messages: 'max_messages',
  steered: 'steered',
};

function responseOf(
  facts: ReplyFacts,
  status: string,
  output: readonly Item[],
  usage: Usage | null,
): Readonly<Record<string, unknown>> {
  return {
    id: facts.id,
    object: 'response',
    created_at: facts.created,
    status,
    error: null,
    incomplete_details: null,
    model: facts.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    usage: usage === null ? null : wireUsage(usage),
    metadata: {},
  };
}

function wireUsage(usage: Usage): object {
  const written =
    usage.cacheWriteTokens === undefined ? {} : { cache_write_tokens: usage.cacheWriteTokens };
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0, ...written },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
