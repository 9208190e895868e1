import type { Message } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { expect, test } from 'vitest';
import { Chat } from './chat.ts';
import type { TextReply } from './chat.ts';
import { compact, isTooLong } from './compaction.ts';

const { signal } = new AbortController();
const handover = { task: 'Sum up.', screen: 'box$', next: 'The screen now: box$' };

/** A conversation of three exchanges; `asides` answer what comes after, in turn. */
async function chatWith(...asides: (string | { readonly failure: string })[]) {
  const asked: (readonly Message[])[] = [];
  let said = 0;
  const chat = new Chat(async (messages): Promise<TextReply> => {
    asked.push(messages);
    said += 1;
    const aside = said > 3 ? asides[said - 4] : 'yes';
    if (aside === undefined) throw new Error('nobody asked for that many calls');
    return typeof aside === 'string' ? { text: aside, isCut: false, tokens: said * 100 } : aside;
  });
  for (const text of ['first', 'second', 'third']) await chat.say(text, signal);
  return { chat, asked: asked.slice(3), saved: asked };
}

const tooLong = { failure: 'HTTP 400: maximum context length is 8192 tokens' };
const textsOf = (messages: readonly Message[]): string[] =>
  messages.map(({ content }) => textOf(content));

test('a summary, questions of one who knows nothing else, answers; then a new beginning', async () => {
  const { chat, saved } = await chatWith('the summary', 'what is what?', 'that is that');
  const history = chat.messages;
  const next = await compact(chat, handover, signal);
  const [summary = [], questions = [], answers = []] = saved.slice(3);
  expect(summary.slice(0, -1)).toEqual(history);
  expect(questions).toHaveLength(1);
  expect(textsOf(questions)[0]).toContain('the summary');
  expect(answers.slice(0, history.length)).toEqual(history);
  expect(textsOf(answers).at(-1)).toContain('what is what?');
  expect(textsOf(chat.messages)).toEqual(['first', textsOf(questions)[0], 'what is what?']);
  expect(next).toContain('that is that');
  expect(next).toContain(handover.next);
});

test('where that is too long: a short summary of its own, or none', async () => {
  const short = await chatWith(tooLong, 'half done');
  expect(await compact(short.chat, handover, signal)).toContain('half done');
  expect(short.chat.messages).toEqual([]);
  const none = await chatWith('the summary', tooLong, tooLong);
  expect(await compact(none.chat, handover, signal)).toBe(handover.next);
});

test('a failure of another kind is the turn’s', async () => {
  const { chat } = await chatWith({ failure: 'HTTP 400: the rollout is over' });
  expect(await compact(chat, handover, signal)).toEqual({
    failure: 'HTTP 400: the rollout is over',
  });
});

test('tokens are the endpoint’s, and guessed for what it has not seen', async () => {
  const { chat } = await chatWith();
  expect(chat.tokensWith('x'.repeat(40))).toBe(340);
  chat.shorten(10);
  expect(textsOf(chat.messages)).toEqual(['first', 'yes']);
});

test.each([
  ['HTTP 400: This model has a maximum context length of 8192 tokens.', true],
  ['HTTP 400: prompt is too long: 210000 tokens > 200000 maximum', true],
  ['HTTP 400: the rollout is over', false],
  ['HTTP 500: oops', false],
])('"%s" is for length: %s', (failure, expected) => {
  expect(isTooLong({ failure })).toBe(expected);
});
