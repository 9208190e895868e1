import type { TurnTokens } from '../src/contract/turn-tokens.ts';
import type { AssistantMessage, Message } from '../src/message.ts';
import type { Committed } from '../src/trace/graph.ts';
import { MessageGraph } from '../src/trace/graph.ts';
import { asSaid, assistant, system, toolResult, user } from './messages.ts';

interface WrittenMessage {
  readonly role: string;
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { id: string; name: string; arguments: string }[];
}

/** A turn of the case list; without `ids` its tokens are not known. */
export interface WrittenTokenTurn {
  readonly prompt: readonly (string | WrittenMessage)[];
  readonly ids?: readonly number[];
  readonly spans?: readonly (readonly number[] | null)[] | null;
  /** One digit for each id. */
  readonly content?: string;
  readonly reply?: string | WrittenMessage;
  readonly completion?: readonly number[];
  /** Default: −0.5 each. */
  readonly logprobs?: readonly number[];
}

/** `u:text`, `s:text`, `a:text`, `t:<id>:text`, or an assistant message in full. */
export function messageOf(written: string | WrittenMessage): Message {
  if (typeof written !== 'string') {
    return assistant(written.content, {
      ...(written.reasoning_content === undefined ? {} : { reasoning: written.reasoning_content }),
      ...(written.tool_calls === undefined ? {} : { toolCalls: written.tool_calls }),
    });
  }
  const [kind, ...rest] = written.split(':');
  if (kind === 't') return toolResult(rest[0] ?? '', rest.slice(1).join(':'));
  const text = rest.join(':');
  return kind === 'u' ? user(text) : kind === 's' ? system(text) : assistant(text);
}

export function turnTokens(turn: WrittenTokenTurn): TurnTokens {
  const completion = turn.completion ?? [];
  return {
    promptIds: Int32Array.from(turn.ids ?? []),
    completionIds: Int32Array.from(completion),
    logprobs: Float32Array.from(turn.logprobs ?? completion.map(() => -0.5)),
    spans: (turn.spans ?? []).map((span) => span && [span[0] ?? 0, span[1] ?? 0]),
    ...(turn.content === undefined ? {} : { isContent: Uint8Array.from(turn.content, Number) }),
  };
}

/** Prepares and commits a turn, as the interception server does. */
export function takeTokens(graph: MessageGraph, turn: WrittenTokenTurn): Committed {
  const prompt = turn.prompt.map(messageOf);
  const { at, matched } = graph.walk(graph.start([]), prompt);
  const message = turn.reply === undefined ? null : (messageOf(turn.reply) as AssistantMessage);
  const tokens = turn.ids === undefined ? {} : { turn: turnTokens(turn) };
  const reply = message === null ? null : { message, ...tokens };
  return graph.commit(at, asSaid(prompt.slice(matched)), reply, { timestamp: 1 });
}

export function restored(graph: MessageGraph): MessageGraph {
  const copy = new MessageGraph();
  for (const node of graph.nodes) copy.restore(node);
  return copy;
}
