import type { Message } from '@vf/core';
import { MessageGraph, promptOf } from '@vf/core/trace';
import type { Position, PromptMessage } from '@vf/core/trace';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { chunked, textOfBody } from '../../test/body.ts';
import { spell } from '../../test/spelling.ts';
import { tinyFormat } from '../../test/tiny-dialect.ts';
import { groupsOf } from './new-items.ts';
import { RequestMemory } from './request-memory.ts';

interface Shell {
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** One request: what an agent does with its conversation before it sends it. */
interface Step {
  readonly action: 'extend' | 'fork' | 'compact' | 'mark' | 'resend' | 'drop-last';
  /** Chooses a conversation, a place in it, the texts. */
  readonly seed: number;
  readonly added: readonly unknown[];
  readonly shell: Shell;
  readonly space: string;
  readonly cuts: readonly number[];
  readonly isRestated: boolean;
  readonly isSettled: boolean;
  /** Tail messages (modulo its length) that a hook rewrites. */
  readonly rewrites: readonly number[];
}

const word = fc.constantFrom('a', 'b "quoted"', 'c\\', 'é\n', '], [', '{', '');
const item = fc.oneof(
  fc.record({ role: fc.constant('user'), content: word }),
  fc.record({
    role: fc.constant('user'),
    results: fc.array(fc.record({ id: word, content: word }), { maxLength: 2 }),
    content: word,
  }),
  fc.record({ role: fc.constant('assistant'), content: word }),
  fc.record({
    role: fc.constant('assistant'),
    content: word,
    calls: fc.constant([{ id: '1', name: 'f', arguments: '{}' }]),
  }),
  fc.constantFrom(1, 12, 'text', null, []),
);
const long = '0123456789 "quoted" '.repeat(20);
const shell: fc.Arbitrary<Shell> = fc.record({
  before: fc.constantFrom(
    {},
    { system: 's' },
    { model: 'm', system: 's' },
    { tools: ['x'], messages: 'first' },
    { tools: ['x', long], big: [long, { long }] },
  ),
  after: fc.constantFrom(
    {},
    {},
    { model: 'm' },
    { list: [{ a: 1 }] },
    { stream: true, temperature: 1 },
    { big: [long, { long }], turn: 1 },
    { turn: 2, big: [long, { long }], tools: ['y', long] },
    { big: [long, { long }, 2], tools: ['x', long], last: long },
    { last: `${long}${long}` },
  ),
});
const step: fc.Arbitrary<Step> = fc.record({
  action: fc.constantFrom(
    'extend',
    'extend',
    'extend',
    'fork',
    'compact',
    'mark',
    'mark',
    'resend',
    'drop-last',
  ),
  seed: fc.nat(1000),
  added: fc.array(item, { maxLength: 3 }),
  shell,
  space: fc.constantFrom('', '', '', ' ', '\n\t'),
  cuts: fc.array(fc.nat(2000), { maxLength: 4 }),
  isRestated: fc.boolean(),
  isSettled: fc.integer({ min: 0, max: 4 }).map((value) => value > 0),
  rewrites: fc.oneof(fc.constant([]), fc.array(fc.nat(5), { maxLength: 2 })),
});

/** A conversation as the agent holds it: parsed items and the text of each. */
interface Talk {
  readonly texts: readonly string[];
}

function nextTalk({ texts }: Talk, { action, seed, added, space }: Step): Talk {
  const more = added.map((value) => spell(value, space));
  const place = texts.length === 0 ? 0 : seed % texts.length;
  if (action === 'fork') return { texts: [...texts.slice(0, place), ...more] };
  if (action === 'compact')
    return { texts: [spell({ role: 'user', content: `summary ${seed}` }, ''), ...more] };
  if (action === 'resend') return { texts };
  if (action === 'drop-last') return { texts: texts.slice(0, -1) };
  if (action === 'extend') return { texts: [...texts, ...more] };
  const unmarked = texts.map((text) => text.replace('{"mark":true,', '{'));
  return {
    texts: [...unmarked, ...more].map((text, index, all) =>
      index === all.length - 1 ? text.replace(/^\{/, '{"mark":true,') : text,
    ),
  };
}

function bodyText({ texts }: Talk, { shell: { before, after }, space }: Step): string {
  const member = ([key, value]: [string, unknown]): string =>
    `${JSON.stringify(key)}:${spell(value, space)}`;
  const items = `"messages":${space}[${space}${texts.join(`${space},`)}${space}]`;
  return `${space}{${[...Object.entries(before).map(member), items, ...Object.entries(after).map(member)].join(`,${space}`)}}${space}`;
}

/** The request read whole. */
function readWhole(graph: MessageGraph, text: string) {
  const whole = JSON.parse(text) as Record<string, unknown>;
  const items = whole['messages'] as unknown[];
  const top = { ...whole, messages: [] };
  const groups = groupsOf(tinyFormat, items, 0);
  const said = [...tinyFormat.preamble(top), ...groups.flatMap((group) => group.messages)];
  const { at, matched } = graph.walk(graph.start(tinyFormat.tools(top)), said, tinyFormat.restates);
  return { top, items, groups, said, at, matched };
}

function pathOf(graph: MessageGraph, at: Position): readonly number[] {
  return at.node === null ? [] : graph.pathTo(at.node);
}

/** The items with every rewrite applied to the parsed groups. */
function rewriteWhole(
  groups: ReturnType<typeof readWhole>['groups'],
  sent: (index: number) => Message | undefined,
): unknown[] {
  let index = 0;
  return groups.flatMap(({ values, messages }) => {
    let group: unknown[] = [...values];
    messages.forEach((_message, at) => {
      const message = sent(index++);
      if (message === undefined) return;
      const next: unknown[] = [...group];
      for (const edit of tinyFormat.rewrite(group, at, message))
        if ('item' in edit) next[edit.item] = edit.value;
      group = next.filter((value) => value !== undefined);
    });
    return group;
  });
}

test('any conversation is read as a full parse reads it, and edited as a full parse would be', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 14 }),
      fc.boolean(),
      (steps, isOneShell) => {
        const graph = new MessageGraph();
        const memory = new RequestMemory(graph, { request: tinyFormat });
        const talks: Talk[] = [{ texts: [] }];
        steps.forEach((given, count) => {
          const current = isOneShell
            ? { ...given, shell: steps[0]?.shell ?? given.shell, space: '' }
            : given;
          const talk = nextTalk(
            talks[current.seed % 3 === 0 ? current.seed % talks.length : talks.length - 1] ?? {
              texts: [],
            },
            current,
          );
          const text = bodyText(talk, current);
          const request = memory.read(chunked(text, current.cuts), '/');
          const whole = readWhole(graph, text);

          expect(request.parsed).toBe(true);
          expect(request.top).toEqual(whole.top);
          expect(request.settings).toEqual(tinyFormat.settings(whole.top, '/'));
          expect(request.at).toEqual(whole.at);
          expect(request.known).toBe(whole.matched);
          expect(request.tail.map(({ said }) => said)).toEqual(whole.said.slice(whole.matched));

          const rewrites = new Map<number, Message>();
          for (const pick of current.rewrites) {
            const index = request.tail.length === 0 ? -1 : pick % request.tail.length;
            const message = request.tail[index];
            if (message?.rewritable === true)
              rewrites.set(index, { ...message.said, content: `rewritten ${count}` });
          }
          const preamble =
            whole.said.length - whole.groups.flatMap(({ messages }) => messages).length;
          const path = pathOf(graph, whole.at);
          const sentOf = (index: number): Message | undefined => {
            const node = graph.nodes[path[index] ?? -1];
            if (index < whole.matched) return node?.said === undefined ? undefined : node.message;
            return rewrites.get(index - whole.matched);
          };
          const edited = request.edited({ temperature: 3, maxOutputTokens: count }, rewrites);
          const items = rewriteWhole(whole.groups, (index) => sentOf(preamble + index));
          const editedText = textOfBody(edited.body);
          expect(JSON.parse(editedText)).toEqual({
            ...(JSON.parse(text) as object),
            temperature: 3,
            max: count,
            messages: items,
          });
          expect(edited.call().messages).toEqual(
            whole.said.slice(preamble).map((said, index) => sentOf(preamble + index) ?? said),
          );
          const recorded = path.slice(0, whole.matched).map((node) => graph.nodes[node]?.message);
          expect(promptOf(edited.call({ asRecorded: true }))).toEqual([
            ...recorded,
            ...promptOf(edited.call()).slice(whole.matched),
          ]);
          if (items.length === whole.items.length)
            expectUntouched(editedText, talk, items, whole.items);

          const prompt = request.tail.map(({ said }, index): PromptMessage => {
            const sent = rewrites.get(index);
            return sent === undefined ? { said } : { said, sent };
          });
          const reply = { role: 'assistant', content: `reply ${count}`, reasoning: 'why' } as const;
          const committed = graph.commit(
            request.at,
            prompt,
            { message: reply },
            { timestamp: 0, restates: tinyFormat.restates },
          );
          if (current.isSettled) request.settle(committed);
          const restated = spell({ role: 'assistant', content: reply.content }, current.space);
          talks.push(current.isRestated ? { texts: [...talk.texts, restated] } : talk);
        });
      },
    ),
    { numRuns: 200 },
  );
});

/** Items that no edit changed are spelt as they came, in their order. */
function expectUntouched(
  editedText: string,
  { texts }: Talk,
  items: readonly unknown[],
  before: readonly unknown[],
): void {
  let at = 0;
  texts.forEach((text, index) => {
    if (JSON.stringify(items[index]) !== JSON.stringify(before[index])) return;
    at = editedText.indexOf(text, at);
    expect(at).not.toBe(-1);
    at += text.length;
  });
}
