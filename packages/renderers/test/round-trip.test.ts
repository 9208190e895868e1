import type { AssistantMessage, Message } from '@vf/core';
import { canonicalJson } from '@vf/core/trace';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Parsed } from '../src/parsed.ts';
import { corpus } from './corpus.ts';
import { rendererOf, subjects } from './families.ts';
import type { Subject } from './families.ts';

/** One subject per family. */
const families = [...new Map(subjects.map((subject) => [subject.family.id, subject])).values()];
const tools = [
  {
    name: 'calc',
    description: 'd',
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        count: { type: 'integer' },
        flag: { type: 'boolean' },
        list: { type: 'array' },
      },
    },
  },
];

/** What families do to a message before they print it: no white space at its ends, one call for some. */
const visible = fc.constantFrom(
  ...'abcXYZ019"\\<>{}[]:,.é日本🙂ß/=|\''.matchAll(/./gu).map(([one]) => one),
);
const any = fc.oneof(
  { weight: 5, arbitrary: visible },
  { weight: 1, arbitrary: fc.constantFrom(' ', '\n', '\n\n', '  ') },
);
const text = fc
  .tuple(visible, fc.array(any, { maxLength: 20 }), visible)
  .map(([first, middle, last]) => first + middle.join('') + last)
  .filter((value) => !value.startsWith('{'));
const values = fc.record(
  {
    text,
    count: fc.integer(),
    flag: fc.boolean(),
    list: fc.array(fc.oneof(fc.integer(), text, fc.constant(null)), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);
const call = values.map((value) => ({
  id: 'functions.calc:0',
  name: 'calc',
  arguments: JSON.stringify(value),
}));

const single = new Set(['llama-3', 'gpt-oss']);
/** Their prompt opens the reasoning, so a reply without the end of it is all reasoning. */
const opened = new Set(['glm-5', 'minimax-m2', 'minimax-m2.5', 'nemotron-3', 'nemotron-3-ultra']);
const unreasoned = new Set([
  'llama-3',
  'deepseek-v3',
  'deepseek-v3-0324',
  'deepseek-r1',
  'deepseek-v3.1',
  'kimi-k2',
  'qwen3-vl',
]);

function replyOf(subject: Subject): fc.Arbitrary<AssistantMessage> {
  const { id } = subject.family;
  return fc
    .record({
      content: text,
      reasoning: reasoningOf(id),
      calls: fc.array(call, { maxLength: single.has(id) ? 1 : 3 }),
    })
    .map(({ content, reasoning, calls }) => ({
      role: 'assistant',
      // Llama 3 prints the call instead of the text; gpt-oss takes text beside a lone call for analysis.
      content:
        calls.length > 0 && single.has(id) && (id === 'llama-3' || reasoning === null)
          ? ''
          : content,
      ...(reasoning === null ? {} : { reasoning }),
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
    }));
}

function reasoningOf(id: string): fc.Arbitrary<string | null> {
  if (unreasoned.has(id)) return fc.constant(null);
  return opened.has(id) ? text : fc.option(text);
}

function comparable(parsed: Pick<Parsed, 'content' | 'reasoning' | 'calls'>): unknown {
  return {
    content: parsed.content,
    reasoning: parsed.reasoning,
    calls: parsed.calls.map((one) => ({
      name: one.name,
      arguments: canonicalJson(one.arguments ?? ''),
      status: one.status,
    })),
  };
}

describe.each(families)('$family.id', (subject) => {
  const renderer = rendererOf(subject);
  const sampledOf = (messages: readonly Message[]): number[] => {
    const { tokenIds, sampledMask } = renderer.render({ messages, tools, generationPrompt: false });
    return [...tokenIds].filter((_, at) => sampledMask[at] === 1);
  };

  it('parses what it rendered', () => {
    fc.assert(
      fc.property(replyOf(subject), (reply) => {
        const parsed = renderer.parse(sampledOf([{ role: 'user', content: 'q' }, reply]), tools);
        expect(comparable(parsed)).toEqual(
          comparable({
            content: reply.content ?? '',
            reasoning: reply.reasoning ?? null,
            calls: (reply.toolCalls ?? []).map((one) => ({
              raw: '',
              span: [0, 0],
              name: one.name,
              arguments: one.arguments,
              status: 'ok',
            })),
          }),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('never throws on ids of the vocabulary', () => {
    const { size, controls } = subject.tokenizer().ours;
    const control = fc.constantFrom(...controls.values());
    const id = fc.oneof(control, fc.integer({ min: 0, max: Math.min(size, 50_000) - 1 }));
    fc.assert(
      fc.property(fc.array(id, { maxLength: 30 }), (ids) => {
        const parsed = renderer.parse(ids, tools);
        for (const { span } of parsed.calls) {
          expect(span[0]).toBeLessThanOrEqual(span[1]);
          expect(span[1]).toBeLessThanOrEqual(ids.length);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps control tokens out of content', () => {
    const spelled = subject.family.controls.join(' ');
    const count = (content: string): number => {
      const { tokenIds } = renderer.render({ messages: [{ role: 'user', content }] });
      const ids = new Set(subject.tokenizer().ours.controls.values());
      return [...tokenIds].filter((id) => ids.has(id)).length;
    };
    expect(count(spelled)).toBe(count('x'));
  });

  it('gives every token to a message or to none, in order', () => {
    for (const { name, messages, tools: offered = [] } of corpus) {
      if (subject.refuses.includes(name)) continue;
      const rendered = renderer.render({ messages, tools: offered });
      const { length } = rendered.tokenIds;
      expect(rendered.messageIndices).toHaveLength(length);
      expect([rendered.isContent.length, rendered.sampledMask.length]).toEqual([length, length]);
      const trained = [...rendered.messageIndices].filter(
        (_, at) => rendered.sampledMask[at] === 1,
      );
      const roles = new Set(trained.map((index) => messages[index]?.role));
      expect([...roles].filter((role) => role !== 'assistant')).toEqual([]);
    }
  });
});
