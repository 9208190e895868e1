import { readFileSync } from 'node:fs';
import type { AssistantMessage, Message, ToolSpec } from '@vf/core';
import { canonicalJson } from '@vf/core/trace';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Renderer } from '../src/renderer.ts';
import { corpus } from './corpus.ts';
import { rendererOf, subjects } from './families.ts';
import type { Subject } from './families.ts';
import { lossesOf, lossNames } from './losses.ts';
import type { Said } from './losses.ts';

/** One subject per family. */
const families = [...new Map(subjects.map((subject) => [subject.family.id, subject])).values()];
const tools: readonly ToolSpec[] = [
  {
    name: 'calc',
    description: 'd',
    parameters: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        count: { type: 'integer' },
        size: { type: 'number' },
        flag: { type: 'boolean' },
        list: { type: 'array' },
        deep: { type: 'object' },
      },
    },
  },
];

const visible = fc.constantFrom(
  ...'abcXYZ019"\\<>{}[]:,.é日本🙂ß/=|\''.matchAll(/./gu).map(([one]) => one),
);
const space = fc.constantFrom(' ', '\n', '\n\n', '  ');
const one = fc.oneof({ weight: 5, arbitrary: visible }, { weight: 1, arbitrary: space });
const text = fc.oneof(
  { weight: 9, arbitrary: fc.array(one, { maxLength: 20 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.constantFrom('', '{', '{"name": 1}', '{}', '\n', ' \n\n') },
);
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const { deep } = fc.letrec((tie) => ({
  deep: fc.dictionary(text, tie('value'), { maxKeys: 2 }),
  value: fc.oneof(
    { maxDepth: 2 },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('deep'),
  ),
}));
const values = fc.record(
  {
    text,
    count: fc.integer(),
    size: number,
    flag: fc.boolean(),
    list: fc.array(fc.oneof(number, text, fc.constant(null), deep), { maxLength: 3 }),
    deep,
  },
  { requiredKeys: [] },
);
const call = values.map((value) => ({ name: 'calc', arguments: JSON.stringify(value) }));

/** Those that refuse parallel calls, and calls at all. */
const mostCalls = new Map([
  ['llama-3', 1],
  ['gpt-oss', 1],
  ['smollm2', 0],
  ['chatml', 0],
]);

function replyOf({ family }: Subject): fc.Arbitrary<Said> {
  return fc.record({
    content: text,
    reasoning: fc.option(text),
    calls: fc.array(call, { maxLength: mostCalls.get(family.id) ?? 3 }),
  });
}

function messageOf({ content, reasoning, calls }: Said): AssistantMessage {
  return {
    role: 'assistant',
    content,
    ...(reasoning === null ? {} : { reasoning }),
    ...(calls.length === 0
      ? {}
      : { toolCalls: calls.map((made) => ({ id: 'functions.calc:0', ...made })) }),
  };
}

function saidBy({ content, reasoning, toolCalls = [] }: AssistantMessage): Said {
  return {
    content: content ?? '',
    reasoning: reasoning ?? null,
    calls: toolCalls.map((made) => ({ name: made.name, arguments: made.arguments })),
  };
}

/** What a message says when it has been rendered, last in its conversation, and parsed. */
function cameBack(
  renderer: Renderer,
  messages: readonly Message[],
  offered: readonly ToolSpec[],
): Said {
  const whole = renderer.render({ messages, tools: offered, generationPrompt: false });
  const bits = whole.sampledMask.map((bit, at) =>
    whole.messageIndices[at] === messages.length - 1 ? bit : 0,
  );
  const [from, to] = [bits.indexOf(1), bits.lastIndexOf(1) + 1];
  const start = from < 0 ? bits.length : from;
  const { tokenIds } = whole;
  const parsed = renderer.parse(tokenIds.slice(start, to), offered, tokenIds.slice(0, start));
  expect(parsed.calls.filter(({ status }) => status !== 'ok')).toEqual([]);
  return {
    content: parsed.content,
    reasoning: parsed.reasoning,
    calls: parsed.calls.map((made) => ({ name: made.name ?? '', arguments: made.arguments ?? '' })),
  };
}

function comparable({ calls, ...said }: Said): unknown {
  return {
    ...said,
    calls: calls.map((made) => [made.name, canonicalJson(made.arguments) ?? made.arguments]),
  };
}

describe.each(families)('$family.id', (subject) => {
  const renderer = rendererOf(subject);
  const known = mostCalls.get(subject.family.id) === 0 ? [] : tools;
  const losses = lossesOf(subject.family.id);
  const expected = (said: Said): unknown =>
    comparable(losses.reduce((left, { after }) => after(left), said));
  const exact = (said: Said): unknown =>
    comparable(
      losses.reduce((left, { after, varies }) => (varies === true ? after(left) : left), said),
    );
  const asked: Message = { role: 'user', content: 'q' };
  const back = (said: Said): Said => cameBack(renderer, [asked, messageOf(said)], known);

  it('parses what it rendered, but for what its template loses', () => {
    fc.assert(
      fc.property(replyOf(subject), (said) => {
        expect(exact(back(said))).toEqual(expected(said));
      }),
      { numRuns: 200 },
    );
  });

  it.each(losses)('loses no less than that $name', ({ of }) => {
    expect(comparable(back(of))).not.toEqual(comparable(of));
    expect(exact(back(of))).toEqual(expected(of));
  });

  it('parses the replies of the corpus', () => {
    for (const entry of corpus) {
      if (subject.refuses.includes(entry.name)) continue;
      const own = rendererOf(subject, entry);
      for (const [at, message] of entry.messages.entries()) {
        if (message.role !== 'assistant') continue;
        const messages = entry.messages.slice(0, at + 1);
        const said = saidBy(message);
        const came = cameBack(own, messages, entry.tools ?? []);
        expect([entry.name, exact(came)]).toEqual([entry.name, expected(said)]);
      }
    }
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

it.each(lossNames)('says in the docs which families lose: %s', (name) => {
  const page = new URL('../../../docs/renderers.md', import.meta.url);
  const rows = readFileSync(page, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const losing = families
    .filter(({ family }) => lossesOf(family.id).some((loss) => loss.name === name))
    .map(({ family }) => `\`${family.id}\``);
  expect(rows.find(([, first]) => first === name)?.[2]?.split(', ')).toEqual(losing);
});
