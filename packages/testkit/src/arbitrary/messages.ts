import type { AssistantMessage, Message, ToolCall } from '@vf/core';
import { array, constantFrom, json, oneof, option, record, string } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import type { MadeTurn } from '../factories/trace.ts';

const words = string({ unit: 'grapheme', maxLength: 30 });

const toolCall: Arbitrary<ToolCall> = record({
  id: string({ minLength: 1, maxLength: 8 }),
  name: constantFrom('bash', 'lookup', 'edit'),
  arguments: oneof(json(), constantFrom('', '{ "b":1,\n"a":2 }', '{"broken')),
});

const reply: Arbitrary<AssistantMessage> = record(
  {
    role: constantFrom('assistant' as const),
    content: option(words),
    reasoning: option(words),
    toolCalls: array(toolCall, { maxLength: 3 }),
  },
  { requiredKeys: ['role', 'content'] },
);

const said: Arbitrary<Message> = oneof(
  record({ role: constantFrom('system' as const), content: words }),
  record({ role: constantFrom('user' as const), content: words }),
  record({
    role: constantFrom('tool' as const),
    toolCallId: string({ minLength: 1, maxLength: 8 }),
    content: words,
  }),
);

/** Any message of any role; tool arguments are valid, oddly spelt and broken JSON. */
export function anyMessage(): Arbitrary<Message> {
  return oneof(said, reply);
}

/** A list of messages in no sensible order, as agents may send it. */
export function anyMessages(maxLength = 12): Arbitrary<Message[]> {
  return array(anyMessage(), { maxLength });
}

/** Turns for `makeTrace`: each adds some messages and a reply. */
export function anyTurns(maxLength = 6): Arbitrary<MadeTurn[]> {
  return array(record({ prompt: array(said, { minLength: 1, maxLength: 3 }), reply }), {
    minLength: 1,
    maxLength,
  });
}
