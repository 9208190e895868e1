import { byteTokenizer } from '../../byte-tokenizer.ts';
import { custom } from '../replies/encoder.ts';
import type { ReplyFacts, ReplyFormat, StreamEncoder, WireEvent } from '../replies/encoder.ts';
import type { ContentStep } from '../script.ts';

/** Of every id: nothing is sampled, so any number that can be one will do. */
const logprob = -0.25;

/** What llama.cpp's server answers on `/completion`: the ids of a reply as qwen3 writes it, each with a logprob. */
export const completionFormat: ReplyFormat = {
  idPrefix: 'cmpl-',
  finish: (reason) => stops[reason] ?? reason,
  stream: (facts) => new CompletionStream(facts),
  plain(facts, content) {
    const sampled = new Sampled(facts);
    const ids = [...content.flatMap((step) => sampled.idsOf(step)), ...sampled.end()];
    return { ...sampled.summary(), ...told(ids) };
  },
  error: (status, code, message) => ({ error: { code: status, message, type: code ?? 'error' } }),
};

const stops: Readonly<Record<string, string>> = { stop: 'eos', tool_calls: 'eos', length: 'limit' };

class CompletionStream implements StreamEncoder {
  readonly #sampled: Sampled;

  constructor(facts: ReplyFacts) {
    this.#sampled = new Sampled(facts);
  }

  open(): WireEvent[] {
    return [];
  }

  /** An event for each id, as the server streams them. */
  content(step: ContentStep): WireEvent[] {
    if (step.type === 'event') return [custom(step)];
    return this.#sampled.idsOf(step).map(event);
  }

  close(): WireEvent[] {
    const end = this.#sampled.end().map(event);
    return [
      ...end,
      { data: JSON.stringify({ ...this.#sampled.summary(), tokens: [], stop: true }) },
    ];
  }

  ping(): null {
    return null;
  }

  error(code: string, message: string): WireEvent[] {
    return [{ data: JSON.stringify(completionFormat.error(500, code, message)) }];
  }
}

/** The ids of a reply, step by step, as many as were asked for. */
class Sampled {
  readonly #facts: ReplyFacts;
  #count = 0;
  #isCut = false;
  #said = false;

  constructor(facts: ReplyFacts) {
    this.#facts = facts;
  }

  idsOf(step: ContentStep): readonly number[] {
    switch (step.type) {
      case 'reasoning':
        return this.#taken([
          control('<think>'),
          ...bytes(`\n${step.text}\n`),
          control('</think>'),
          ...bytes('\n\n'),
        ]);
      case 'text':
        this.#said ||= step.text !== '';
        return this.#taken(bytes(step.text));
      case 'call': {
        const gap = this.#said ? '\n' : '';
        this.#said = true;
        return this.#taken([
          ...bytes(gap),
          control('<tool_call>'),
          ...bytes(`\n${callText(step)}\n`),
          control('</tool_call>'),
        ]);
      }
      default:
        return [];
    }
  }

  /** The token that ends it, unless something else did. */
  end(): readonly number[] {
    return this.#facts.finish === 'limit' ? [] : this.#taken([control('<|im_end|>')]);
  }

  summary(): object {
    const { model, finish } = this.#facts;
    return {
      content: '',
      model,
      stop: true,
      stop_type: this.#isCut ? 'limit' : finish,
      tokens_predicted: this.#count,
      truncated: false,
    };
  }

  #taken(ids: readonly number[]): readonly number[] {
    const left = (this.#facts.limit ?? Number.POSITIVE_INFINITY) - this.#count;
    const taken = ids.slice(0, Math.max(0, left));
    this.#isCut ||= taken.length < ids.length;
    this.#count += taken.length;
    return taken;
  }
}

function callText(step: Extract<ContentStep, { type: 'call' }>): string {
  const given = step.custom === true ? JSON.stringify({ input: step.arguments }) : step.arguments;
  return `{"name": ${JSON.stringify(step.name)}, "arguments": ${given}}`;
}

function event(id: number): WireEvent {
  return { data: JSON.stringify({ content: '', ...told([id]), stop: false }) };
}

function told(ids: readonly number[]): object {
  return { tokens: ids, completion_probabilities: ids.map((id) => ({ id, logprob })) };
}

function bytes(text: string): readonly number[] {
  return byteTokenizer.encode(text);
}

function control(name: string): number {
  return byteTokenizer.controls.get(name) ?? -1;
}
