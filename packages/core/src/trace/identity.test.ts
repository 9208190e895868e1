import { describe, expect, it } from 'vitest';
import type { AssistantMessage, Message, ToolCall } from '../message.ts';
import { hashOf, identityOf, isSameMessage, seeded } from './identity.ts';

const says = (fields: Partial<AssistantMessage>): AssistantMessage => ({
  role: 'assistant',
  content: null,
  ...fields,
});
const calls = (fields: Partial<ToolCall>): AssistantMessage =>
  says({ toolCalls: [{ id: 'c', name: 'f', arguments: '{}', ...fields }] });
const args = (text: string): AssistantMessage => calls({ arguments: text });
const user = (content: Extract<Message, { role: 'user' }>['content']): Message => ({
  role: 'user',
  content,
});
const state = (...providerState: unknown[]): AssistantMessage => says({ providerState });
const tool = (fields: object): Message => ({
  role: 'tool',
  toolCallId: 'c',
  content: 'r',
  ...fields,
});
const text = (value: string) => ({ type: 'text', text: value }) as const;

const same: [name: string, a: Message, b: Message][] = [
  ['content null / ""', says({ content: null }), says({ content: '' })],
  ['reasoning null / absent', says({ reasoning: null }), says({})],
  ['no calls [] / absent', says({ toolCalls: [] }), says({})],
  ['tool name differs', tool({ name: 'f' }), tool({ name: 'g' })],
  ['key order', args('{"a":1,"b":2}'), args('{"b":2,"a":1}')],
  ['nested order', args('{"x":{"a":1,"b":[2]}}'), args('{"x":{"b":[2],"a":1}}')],
  ['spacing', args('{"a":1}'), args(' { "a" :\n1 } ')],
  ['duplicate key', args('{"a":1,"a":2}'), args('{"a":2}')],
  ['escape', args('{"a":"\\u00e9"}'), args('{"a":"é"}')],
  ['NaN', args('{"a":NaN}'), args('{"a": NaN}')],
  ['1e2 / 100.0', args('1e2'), args('100.0')],
  ['namespace "" / absent', calls({ namespace: '' }), calls({})],
  ['kind function / absent', calls({ kind: 'function' }), calls({})],
  ['reasoning item with a summary only', state({ type: 'reasoning', summary: ['s'] }), says({})],
  [
    'message item with plain text',
    state({ type: 'message', content: [{ type: 'output_text', text: 'x' }] }),
    says({}),
  ],
  ['message item without a type', state({ role: 'assistant', content: 'x' }), says({})],
  [
    'call item of a call that is there',
    says({
      toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }],
      providerState: [{ type: 'function_call', call_id: 'c' }],
    }),
    calls({}),
  ],
  [
    'null fields of a kept state',
    state({ type: 'reasoning', encrypted_content: 'e', signature: null }),
    state({ type: 'reasoning', encrypted_content: 'e' }),
  ],
];

const different: [name: string, a: Message, b: Message][] = [
  ['reasoning null / ""', says({}), says({ reasoning: '' })],
  ['string / one text part', user('hi'), user([text('hi')])],
  ['two parts / one joined', user([text('a'), text('b')]), user([text('ab')])],
  ['arguments 1 / 1.0', args('1'), args('1.0')],
  ['arguments "" / "{}"', args(''), args('{}')],
  ['big integers', args('9007199254740993'), args('9007199254740992')],
  ['broken JSON', args('{a:1}'), args('{a: 1}')],
  ['call id', calls({ id: 'a' }), calls({ id: 'b' })],
  ['tool_call_id', tool({ toolCallId: 'a' }), tool({ toolCallId: 'b' })],
  ['role', { role: 'system', content: 'x' }, user('x')],
  ['kind function / custom', calls({}), calls({ kind: 'custom' })],
  ['namespace', calls({ namespace: 'a' }), calls({})],
  [
    'custom input {} / { }',
    calls({ kind: 'custom', arguments: '{}' }),
    calls({ kind: 'custom', arguments: '{ }' }),
  ],
  ['encrypted reasoning', state({ type: 'reasoning', encrypted_content: 'e' }), says({})],
  ['signed thinking', state({ type: 'thinking', signature: 's' }), says({})],
  ['unknown item', state({ type: 'web_search_call', id: 'w' }), says({})],
  [
    'unknown items that share a kept field',
    state({ type: 'odd', data: 'd', x: 1 }),
    state({ type: 'odd', data: 'd', x: 2 }),
  ],
  [
    'refusal part of a message item',
    state({ type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }),
    says({}),
  ],
  ['call item of no call', state({ type: 'function_call', call_id: 'z' }), says({})],
  ['image url', user([{ type: 'image', url: 'a' }]), user([{ type: 'image', url: 'b' }])],
  ['native part', user([{ type: 'native', native: 1 }]), user([{ type: 'native', native: 2 }])],
  ['where one part ends', user([text('ab'), text('c')]), user([text('a'), text('bc')])],
];

describe('isSameMessage', () => {
  it.each(same)('is the same: %s [graph/identity-same]', (_name, a, b) => {
    expect(isSameMessage(a, b)).toBe(true);
    expect(identityOf(a).hash).toBe(identityOf(b).hash);
  });

  it.each(different)('is another: %s [graph/identity-different]', (_name, a, b) => {
    expect(isSameMessage(a, b)).toBe(false);
  });

  it('takes any native content, also what JSON cannot write', () => {
    const odd = user([{ type: 'native', native: undefined }]);
    expect(isSameMessage(odd, { ...odd })).toBe(true);
    expect(isSameMessage(state(undefined), says({}))).toBe(false);
  });
});

describe('hashOf', () => {
  it('spreads: hardly a collision among 20,000 near texts', () => {
    const hashes = new Set(
      Array.from({ length: 20_000 }, (_, at) => seeded(hashOf([`m${at}`]), at % 7)),
    );
    expect(hashes.size).toBeGreaterThan(19_995);
  });

  it('tells long texts apart by their ends and length', () => {
    const long = 'x'.repeat(100_000);
    const texts = [long, `${long}x`, `y${long}`, `${long}y`];
    expect(new Set(texts.map((each) => hashOf([each]))).size).toBe(4);
  });

  it('tells where one text ends and the next begins', () => {
    expect(hashOf(['ab', 'c'])).not.toBe(hashOf(['a', 'bc']));
  });

  it('finds a message whose like has the same hash to be another', () => {
    const middle = (character: string): Message =>
      user(`${'x'.repeat(5_000)}${character}${'x'.repeat(4_999)}`);
    const [a, b] = [middle('a'), middle('b')];
    expect(identityOf(a).hash).toBe(identityOf(b).hash);
    expect(isSameMessage(a, b)).toBe(false);
  });

  it('depends on the seed', () => {
    expect(seeded(hashOf(['x']), 1)).not.toBe(seeded(hashOf(['x']), 2));
  });
});
