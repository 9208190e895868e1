import * as fc from 'fast-check';
import type { TokenSpace, TurnTokens } from '../src/contract/turn-tokens.ts';
import type { AssistantMessage, Message } from '../src/message.ts';
import { textOf } from '../src/message.ts';
import { MessageGraph } from '../src/trace/graph.ts';
import type { TraceNode } from '../src/trace/node.ts';
import { asSaid, assistant, user } from './messages.ts';

const header = 900;
const end = 901;

/** One turn: what is said before it, how the past is tokenised this time, and what is told of the tokens. */
export interface Plan {
  readonly said: string;
  readonly reply: string;
  readonly dialect: 0 | 1;
  /** For each message: is its span told? */
  readonly tells: readonly boolean[];
  /** Messages of the past that the agent leaves out, from the front. */
  readonly dropped: number;
  /** Content marks of the prompt; `short`: of another length, as a careless renderer gives them. */
  readonly content: 'none' | 'told' | 'short';
  readonly hasLogprobs: boolean;
  readonly space: TokenSpace | null;
}

const texts = fc.constantFrom('a', 'bb', 'ccc');
export const plans: fc.Arbitrary<Plan> = fc.record({
  said: texts,
  reply: texts,
  dialect: fc.constantFrom(0, 0, 0, 1),
  tells: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  dropped: fc.constantFrom(0, 0, 0, 2),
  content: fc.constantFrom('none', 'told', 'told', 'short'),
  hasLogprobs: fc.constantFrom(true, true, false),
  space: fc.constantFrom(
    null,
    { vocabulary: 902, context: null },
    { vocabulary: 1000, context: 500 },
  ),
});
export const conversations = fc.array(plans, { minLength: 1, maxLength: 7 });

function idsOf(text: string, dialect: number): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0) + 100 * dialect);
}

/** Of the `turn`th call; its logprobs are its own, each another. */
export function tokensOf(prompt: readonly Message[], plan: Plan, turn: number): TurnTokens {
  const { dialect, tells, reply, content, hasLogprobs, space } = plan;
  const ids: number[] = [];
  const marks: number[] = [];
  const spans = prompt.map((message, at): readonly [number, number] | null => {
    const start = ids.length;
    const body = idsOf(textOf(message.content), message.role === 'assistant' ? dialect : 0);
    ids.push(header, ...body, end);
    marks.push(0, ...body.map(() => 1), 0);
    return tells[at % tells.length] === true ? [start, ids.length] : null;
  });
  ids.push(header);
  marks.push(0);
  const completion = [...idsOf(reply, 0), end];
  const isContent = Uint8Array.from(content === 'short' ? marks.slice(1) : marks);
  return {
    promptIds: Int32Array.from(ids),
    completionIds: Int32Array.from(completion),
    // Of halves and their like, which 32 bits hold exactly.
    logprobs: Float32Array.from(hasLogprobs ? completion : [], (_, at) => -turn - (at + 1) / 16),
    spans,
    ...(content === 'none' ? {} : { isContent }),
    ...(space === null ? {} : { space }),
  };
}

/** What a graph held before a turn, copied, and what the turn added. */
export interface PlayedTurn {
  readonly before: readonly TraceNode[];
  readonly reply: number;
  readonly tokens: TurnTokens;
}

/** An agent's conversation, turn by turn, in a graph that others may share. */
export class Agent {
  readonly #graph: MessageGraph;
  #past: Message[] = [];
  #turns = 0;

  constructor(graph: MessageGraph) {
    this.#graph = graph;
  }

  /** One that goes on from here by itself. */
  fork(): Agent {
    const other = new Agent(this.#graph);
    other.#past = [...this.#past];
    other.#turns = this.#turns;
    return other;
  }

  take(plan: Plan): PlayedTurn {
    const graph = this.#graph;
    const before = structuredClone(graph.nodes);
    const past = [...this.#past.slice(plan.dropped), user(plan.said)];
    const message: AssistantMessage = assistant(plan.reply);
    const tokens = tokensOf(past, plan, this.#turns);
    const { at, matched } = graph.walk(graph.start([]), past);
    const tail = asSaid(past.slice(matched));
    const { reply } = graph.commit(at, tail, { message, turn: tokens }, { timestamp: 1 });
    this.#turns++;
    this.#past = [...past, message];
    return { before, reply: reply ?? -1, tokens };
  }
}

export function played(conversation: readonly Plan[]): {
  readonly graph: MessageGraph;
  readonly turns: readonly PlayedTurn[];
} {
  const graph = new MessageGraph();
  const agent = new Agent(graph);
  return { graph, turns: conversation.map((plan) => agent.take(plan)) };
}
