import type { Exchange, Message, Settings } from '@vf/core';
import { isObject } from '@vf/core/dialect';
import { refusal } from './engine/engine-failed.ts';

/** Settings that name a conversation, or a part of one, which a provider would hold. */
const held = ['conversation', 'prompt'];

/** Items that stand for words which the request does not say. */
const opaque: ReadonlySet<unknown> = new Set(['item_reference', 'compaction']);

/** The path under which Responses has a provider sum up the past, in items that only it can read again. */
const compaction = /\/responses\/compact\/?(\?|$)/;

type AskedFor = Pick<Exchange, 'unknownReply' | 'dialect' | 'kind' | 'request'>;

/**
 * A prompt must hold all that the agent takes the model to know: nobody but us keeps a past, and we that of the rollout
 * alone. The reply to it must be sampled from its first token on.
 * @throws EngineFailed when a part of the conversation stands elsewhere, or no reply to it is asked for, or it begins the
 * reply itself
 */
export function checkPast(
  { unknownReply, dialect, kind, request }: AskedFor,
  { extra = {} }: Settings,
  messages: readonly Message[],
): void {
  if (unknownReply !== undefined) {
    throw refusal(
      `Previous response with id '${unknownReply}' not found: no reply of this rollout has it`,
    );
  }
  if (compaction.test(request.path)) {
    throw refusal(
      'training has no provider that compacts: let the agent have the model sum up its past in a turn of its own',
    );
  }
  const named = held.find((key) => isHeld(key, extra[key]));
  if (named !== undefined) {
    throw refusal(`training has no ${named} that a provider holds: send its messages`);
  }
  const item = messages.flatMap(stateOf).find((state) => opaque.has(typeOf(state)));
  if (item !== undefined) {
    throw refusal(`training cannot read the item ${String(typeOf(item))}: send what it stands for`);
  }
  // One that is only counted is answered by nobody.
  const isPrefill = dialect.request.prefills === true && messages.at(-1)?.role === 'assistant';
  if (isPrefill && kind === 'turn') {
    throw refusal(
      'training takes no prefill, whose tokens are not sampled: the last message is the assistant’s, end with one of the user’s',
    );
  }
}

function isHeld(key: string, value: unknown): boolean {
  // A text under this name is that of other endpoints, which have no messages.
  return key === 'prompt' ? isObject(value) : value !== undefined && value !== null;
}

function stateOf(message: Message): readonly unknown[] {
  return message.role === 'assistant' ? (message.providerState ?? []) : [];
}

/** An item of Responses without type and role is a reference too. */
function typeOf(item: unknown): unknown {
  if (!isObject(item)) return undefined;
  const { type, role, id } = item;
  return type === undefined && role === undefined && id !== undefined ? 'item_reference' : type;
}
