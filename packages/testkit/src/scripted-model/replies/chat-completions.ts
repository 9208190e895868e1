import type { Usage } from '@vf/core';
import type { ContentStep } from '../script.ts';
import { custom, joined, partId, piecesOf } from './encoder.ts';
import type { ReplyFacts, ReplyFormat, StreamEncoder, WireEvent } from './encoder.ts';
import { openAiError } from './open-ai-error.ts';

type CallStep = Extract<ContentStep, { type: 'call' }>;
type ReasoningStep = Extract<ContentStep, { type: 'reasoning' }>;

/** Chat Completions, as OpenAI and compatible servers write it. */
export const chatFormat: ReplyFormat = {
  idPrefix: 'chatcmpl-',
  finish: (reason) => reason,
  stream: (facts) => new ChatStream(facts),
  plain,
  error: openAiError,
};

class ChatStream implements StreamEncoder {
  readonly #facts: ReplyFacts;
  #calls = 0;
  #details = 0;

  constructor(facts: ReplyFacts) {
    this.#facts = facts;
  }

  open(): WireEvent[] {
    return [this.#delta({ role: 'assistant', content: '' })];
  }

  content(step: ContentStep): WireEvent[] {
    switch (step.type) {
      case 'text':
        return piecesOf(step.text, step.pieces).map((content) => this.#delta({ content }));
      case 'reasoning':
        return this.#reasoning(step);
      case 'call':
        return this.#call(step);
      default:
        return [custom(step)];
    }
  }

  close(): WireEvent[] {
    const { finish, usage, usagePlace, includeUsage } = this.#facts;
    const withUsage = usagePlace === 'finish' && usage !== null;
    const events = [this.#chunk({}, finish, withUsage ? { usage: wireUsage(usage) } : {})];
    if (usagePlace === 'own' && includeUsage && usage !== null) {
      events.push(json({ ...this.#head(), choices: [], usage: wireUsage(usage) }));
    }
    return [...events, { data: '[DONE]' }];
  }

  ping(): null {
    return null;
  }

  error(code: string, message: string): WireEvent[] {
    return [json(openAiError(500, code, message))];
  }

  #reasoning(step: ReasoningStep): WireEvent[] {
    const events = piecesOf(step.text, step.pieces).map((text) =>
      this.#delta({ reasoning_content: text }),
    );
    for (const detail of detailsOf(step)) {
      events.push(this.#delta({ reasoning_details: [{ ...detail, index: this.#details++ }] }));
    }
    return events;
  }

  #call(step: CallStep): WireEvent[] {
    const index = this.#calls++;
    const field = step.custom ? 'custom' : 'function';
    const input = step.custom ? 'input' : 'arguments';
    const id = step.id ?? partId('call', this.#facts.id, index);
    const opening = { index, id, type: field, [field]: { name: step.name, [input]: '' } };
    return [
      this.#delta({ tool_calls: [opening] }),
      ...piecesOf(step.arguments, step.pieces).map((piece) =>
        this.#delta({ tool_calls: [{ index, [field]: { [input]: piece } }] }),
      ),
    ];
  }

  #delta(delta: object): WireEvent {
    return this.#chunk(delta, null, {});
  }

  #chunk(delta: object, finish: string | null, extra: object): WireEvent {
    const { usage, usagePlace } = this.#facts;
    const everywhere = usagePlace === 'every' && usage !== null ? { usage: wireUsage(usage) } : {};
    const choices = [{ index: 0, delta, finish_reason: finish }];
    return json({ ...this.#head(), choices, ...everywhere, ...extra });
  }

  #head(): object {
    const { id, created, model } = this.#facts;
    return { id, object: 'chat.completion.chunk', created, model };
  }
}

function plain(facts: ReplyFacts, content: readonly ContentStep[]): unknown {
  const calls = content.filter((step) => step.type === 'call');
  const text = joined(content, 'text');
  const reasoning = joined(content, 'reasoning');
  const details = content.flatMap((step) => (step.type === 'reasoning' ? detailsOf(step) : []));
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map((step, i) => plainCall(facts, step, i)) } : {}),
  };
  return {
    id: facts.id,
    object: 'chat.completion',
    created: facts.created,
    model: facts.model,
    choices: [{ index: 0, message, finish_reason: facts.finish, logprobs: null }],
    ...(facts.usage === null ? {} : { usage: wireUsage(facts.usage) }),
  };
}

function plainCall(facts: ReplyFacts, step: CallStep, index: number): object {
  const id = step.id ?? partId('call', facts.id, index);
  if (step.custom)
    return { id, type: 'custom', custom: { name: step.name, input: step.arguments } };
  return { id, type: 'function', function: { name: step.name, arguments: step.arguments } };
}

function detailsOf(step: ReasoningStep): object[] {
  const details: object[] = [];
  if (step.signature !== undefined)
    details.push({ type: 'reasoning.text', text: step.text, signature: step.signature });
  if (step.encrypted !== undefined)
    details.push({ type: 'reasoning.encrypted', data: step.encrypted });
  return details;
}

function wireUsage(usage: Usage): object {
  const written =
    usage.cacheWriteTokens === undefined ? {} : { cache_write_tokens: usage.cacheWriteTokens };
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedInputTokens ?? 0, ...written },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    ...(usage.cost === undefined ? {} : { cost: usage.cost }),
  };
}

function json(data: unknown): WireEvent {
  return { data: JSON.stringify(data) };
}
