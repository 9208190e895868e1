import type { Delta } from '@vf/core';
import * as fc from 'fast-check';
import { byteTokenizer } from '@vf/testkit';
import { describe, expect, it } from 'vitest';
import type { Family } from '../src/family.ts';
import { smolLm2 } from '../src/families/chat-ml.ts';
import type { Follower } from '../src/live/follow.ts';
import { jinjaRenderer } from '../src/jinja/jinja-renderer.ts';
import { makeRenderer } from '../src/make-renderer.ts';
import type { Renderer } from '../src/renderer.ts';
import { subjects } from './families.ts';
import type { Tokenizer } from '../src/tokenizer/tokenizer.ts';

/** A token for each byte, and any control tokens. */
function bytesWith(controls: readonly string[]): Tokenizer {
  const names = [...new Set(controls)];
  const encoder = new TextEncoder();
  return {
    ...byteTokenizer,
    controls: new Map(names.map((name, index) => [name, 256 + index])),
    bytes: (id) => (id < 256 ? Uint8Array.of(id) : encoder.encode(names[id - 256])),
    size: 256 + names.length,
  };
}

const families = [...new Set([smolLm2, ...subjects.map(({ family }) => family)])];
const live = families.flatMap((family) =>
  [true, false].flatMap((thinking) => {
    const template = family.template({ thinking });
    const tokenizer = bytesWith([...family.controls, ...template.stops]);
    const renderer = makeRenderer(family, tokenizer, { thinking });
    return [{ family, thinking, tokenizer, renderer, follow: renderer.follow }];
  }),
);

/** What families, and the template of a model itself, write as text around reasoning and calls. */
const marks = ['analysis', 'final', 'commentary', ' to=functions.f', '<think>', '</think>', '</th'];

function said(deltas: readonly Delta[], type: 'text' | 'reasoning'): string {
  return deltas.map((delta) => (delta.type === type && 'text' in delta ? delta.text : '')).join('');
}

/** Pushes ids in pieces that end at the given places. */
function followed(follower: Follower, ids: readonly number[], ends: readonly number[]): Delta[] {
  const cuts = [...new Set(ends.map((end) => end % (ids.length + 1)))].toSorted((a, b) => a - b);
  return [...cuts, ids.length].flatMap((end, at) => [
    ...follower.push(ids.slice(at === 0 ? 0 : cuts[at - 1], end)),
  ]);
}

function completions(family: Family, tokenizer: Tokenizer, stops: readonly string[]) {
  const controls = [...family.controls, ...stops].map((name) => [
    tokenizer.controls.get(name) ?? 0,
  ]);
  const text = fc
    .constantFrom(
      'a',
      ' ',
      '\n',
      '\n\n',
      '  b',
      '{"name": "f"}',
      'é🙂',
      '\uFEFF',
      '\t',
      'tail',
      ...marks,
    )
    .map((piece) => [...Buffer.from(piece)]);
  const broken = fc.integer({ min: 0, max: 255 }).map((byte) => [byte]);
  const piece = fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 3, arbitrary: fc.constantFrom(...controls) },
    { weight: 1, arbitrary: broken },
  );
  return fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.flat());
}

describe.each(live)('$family.id, thinking $thinking', ({ family, tokenizer, renderer, follow }) => {
  it('gives nothing away that its finished message does not begin with [renderer/live]', () => {
    const { stops } = family.template({});
    const ends = fc.array(fc.nat(), { maxLength: 6 });
    const prompts = fc.constantFrom(undefined, [1], [tokenizer.controls.get('<think>') ?? 1, 10]);
    fc.assert(
      fc.property(completions(family, tokenizer, stops), ends, prompts, (ids, cuts, prompt) => {
        const deltas = followed(follow(prompt), ids, cuts);
        const parsed = renderer.parse(ids, [], prompt);
        expect(parsed.content.startsWith(said(deltas, 'text'))).toBe(true);
        expect((parsed.reasoning ?? '').startsWith(said(deltas, 'reasoning'))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('gives a plain answer as it comes [renderer/live]', () => {
    const ids = [...Buffer.from('<answer> and more')];
    const follower = follow();
    const deltas = ids.flatMap((id) => [...follower.push([id])]);
    const { content, reasoning } = renderer.parse(ids);
    const whole = isUnsure(renderer) ? ['', ''] : [content, reasoning ?? ''];
    expect([said(deltas, 'text'), said(deltas, 'reasoning')]).toEqual(whole);
    expect(deltas.length > 10).toBe(!isUnsure(renderer));
  });
});

/** May an answer without marks be reasoning or a call's, by what follows it? */
function isUnsure(renderer: Renderer): boolean {
  const unsure = ['gpt-oss', 'qwen3', 'glm-4.5', 'deepseek-r1', 'deepseek-v3.1'];
  return unsure.includes(renderer.family) && renderer.retention !== 'all';
}

it('reasoning, then content, then no call [renderer/live]', () => {
  const qwen = live.find(({ family, thinking }) => family.id === 'qwen3' && thinking);
  const id = (name: string): number => qwen?.tokenizer.controls.get(name) ?? -1;
  const text = (value: string): number[] => [...Buffer.from(value)];
  const follower = qwen?.follow();
  const push = (...ids: number[]): readonly Delta[] => follower?.push(ids) ?? [];
  expect(push(id('<think>'), ...text('\nwhy'))).toEqual([{ type: 'reasoning', text: 'why' }]);
  expect(push(...text('\n'))).toEqual([]);
  expect(push(id('</think>'), ...text('\n\nso '))).toEqual([{ type: 'text', text: 'so' }]);
  expect(push(...text('it is\n'))).toEqual([{ type: 'text', text: ' it is' }]);
  expect(push(id('<tool_call>'), ...text('{}'), id('</tool_call>'))).toEqual([]);
  expect(push(...text('tail'), id('<|im_end|>'))).toEqual([]);
});

it.each(['qwen3.5', 'glm-5', 'nemotron-3'])(
  'a prompt of %s that ends within reasoning makes the reply reasoning, another text [renderer/live]',
  (id) => {
    const found = live.find(({ family, thinking }) => family.id === id && thinking);
    const name = (control: string): number => found?.tokenizer.controls.get(control) ?? -1;
    const ids = [...Buffer.from('so it is')];
    for (const [prompt, isReasoning] of [
      [[name('<think>'), 10], true],
      [[name('<think>'), name('</think>')], false],
    ] as const) {
      const parsed = found?.renderer.parse(ids, [], prompt);
      expect(parsed?.reasoning).toBe(isReasoning ? 'so it is' : null);
      expect(parsed?.content).toBe(isReasoning ? '' : 'so it is');
    }
  },
);

it('gpt-oss: analysis and the final message as they come, what is said before it with it [renderer/live]', () => {
  const found = live.find(({ family }) => family.id === 'gpt-oss');
  const id = (name: string): number => found?.tokenizer.controls.get(name) ?? -1;
  const text = (value: string): number[] => [...Buffer.from(value)];
  const head = (channel: string): number[] => [
    id('<|channel|>'),
    ...text(channel),
    id('<|message|>'),
  ];
  const next = [id('<|end|>'), id('<|start|>'), ...text('assistant')];
  const follower = found?.follow();
  const push = (...ids: number[]): readonly Delta[] => follower?.push(ids) ?? [];
  expect(push(...head('analysis'), ...text('wh'))).toEqual([{ type: 'reasoning', text: 'wh' }]);
  expect(push(...text('y '))).toEqual([{ type: 'reasoning', text: 'y ' }]);
  expect(push(...next, ...head('commentary'), ...text('I look'))).toEqual([]);
  expect(push(...next, ...head('analysis'), ...text('so'))).toEqual([
    { type: 'reasoning', text: '\nso' },
  ]);
  expect(push(...next, ...head('final'), ...text('7'))).toEqual([
    { type: 'text', text: 'I look\n7' },
  ]);
  expect(push(...text('.'))).toEqual([{ type: 'text', text: '.' }]);
  expect(push(id('<|return|>'), ...text('tail'))).toEqual([]);
});

describe('the template of a model itself', () => {
  const tokenizer = bytesWith(['<|end|>', '<|other|>']);
  const renderer = jinjaRenderer({ template: '', eosToken: '<|end|>' }, tokenizer);

  it('gives nothing away that its finished message does not begin with [renderer/live]', () => {
    const piece = fc.constantFrom(
      '<think>',
      '</think>',
      '</th',
      '<',
      'a',
      ' ',
      '\n',
      '\uFEFF',
      'é🙂',
    );
    const bytes = piece.map((text) => [...Buffer.from(text)]);
    const control = fc.constantFrom('<|end|>', '<|other|>');
    const one = control.map((name) => [tokenizer.controls.get(name) ?? 0]);
    const broken = fc.integer({ min: 128, max: 255 }).map((byte) => [byte]);
    const ids = fc.array(fc.oneof({ weight: 8, arbitrary: bytes }, one, broken), { maxLength: 12 });
    fc.assert(
      fc.property(ids, fc.array(fc.nat(), { maxLength: 6 }), (pieces, cuts) => {
        const all = pieces.flat();
        const deltas = followed(renderer.follow(), all, cuts);
        const { content, reasoning } = renderer.parse(all);
        expect(content.startsWith(said(deltas, 'text'))).toBe(true);
        expect((reasoning ?? '').startsWith(said(deltas, 'reasoning'))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives reasoning and content as they come [renderer/live]', () => {
    const follower = renderer.follow();
    const push = (text: string): readonly Delta[] => follower.push([...Buffer.from(text)]);
    expect(push('\n<thi')).toEqual([]);
    expect(push('nk>\n why')).toEqual([{ type: 'reasoning', text: 'why' }]);
    expect(push(' <')).toEqual([]);
    expect(push('1')).toEqual([{ type: 'reasoning', text: ' <1' }]);
    expect(push('\n</think>\n\n')).toEqual([]);
    expect(push('so ')).toEqual([{ type: 'text', text: 'so ' }]);
    expect(push('<think>')).toEqual([{ type: 'text', text: '<think>' }]);
  });
});

it('follows a reply with a long run of white space in the middle', () => {
  const run = `a${' '.repeat(100_000)}b${'\n'.repeat(100_000)}c`;
  const ids = byteTokenizer.encode(run);
  for (const { follow } of live.filter(({ family }) => family === smolLm2)) {
    expect(said(followed(follow(), ids, [ids.length / 2]), 'text')).toBe(run);
  }
});
