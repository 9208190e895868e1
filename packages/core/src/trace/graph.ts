import type { ToolSpec } from '../call.ts';
import type { TokenSpace, TurnTokens } from '../contract/turn-tokens.ts';
import type { AssistantMessage, Message } from '../message.ts';
import { identityOf, isSameMessage, seeded } from './identity.ts';
import type { CausalLink, NodeTokens, TraceNode } from './node.ts';
import { repairedExperts } from './routed-experts.ts';
import {
  checkTurn,
  commonPath,
  endOfSlice,
  lengthOf,
  limitOfSlice,
  promptSlice,
  replySlice,
  standsAt,
} from './token-slices.ts';
import { widest } from './token-space.ts';
import { ToolLists } from './tool-lists.ts';

/** A place in the graph: after `node` (null: before the first message) under a tool list. */
export interface Position {
  readonly node: number | null;
  readonly toolList: number;
}

/** A prompt message as the agent sent it, and as the model saw it when a rewrite made them differ. */
export interface PromptMessage {
  readonly said: Message;
  readonly sent?: Message;
}

/** What the model answered, with the tokens that it was sampled as where they are known. */
export interface SampledReply {
  readonly message: AssistantMessage;
  /** Of the reply's node alone, where the prompt's are not known. */
  readonly tokens?: NodeTokens;
  /** Of the whole call: its prompt's ids decide with the messages which nodes are reused. */
  readonly turn?: TurnTokens;
}

/** The nodes that one call stands on. */
export interface Committed {
  /** Node of each prompt message after the position, reused or new. */
  readonly prompt: readonly number[];
  readonly reply: number | null;
  /** Messages before the position have other tokens in this call, so that they stand on a branch of their own. */
  readonly forked?: true;
}

interface CommitOptions {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly restates?: Restates;
}

/** Does a message of the agent say again what was sampled, in another spelling? */
export type Restates = (sampled: AssistantMessage, said: AssistantMessage) => boolean;

/**
 * Every message once, at its place. Finding or adding a message costs time in that message alone, whatever the
 * graph holds; nothing recorded is ever changed.
 */
export class MessageGraph {
  readonly #nodes: TraceNode[] = [];
  readonly #childCounts: number[] = [];
  /** Newest node per (parent, identity); older ones of its slot stand in `#shadowed`. */
  readonly #index = new Map<number, number>();
  readonly #shadowed = new Map<number, number[]>();
  /** Sampled replies, and restatements of them that other tokens set apart. */
  readonly #replies = new Map<number, number[]>();
  readonly #rootToolLists = new Map<number, number>();
  readonly #toolLists = new ToolLists();
  /** What its tokens are of; null: no turn said so. */
  space: TokenSpace | null = null;

  get nodes(): readonly TraceNode[] {
    return this.#nodes;
  }

  /** The position before the first message of a conversation with these tools. */
  start(tools: readonly ToolSpec[]): Position {
    return { node: null, toolList: this.#toolLists.indexOf(tools) };
  }

  /**
   * Follows known messages as far as they go; changes nothing. Where a message stands in several
   * places (the same reply sampled twice), the place that holds most of what follows is taken, the
   * newest of equals. An assistant message that matches no identity is asked about with `restates`
   * among the sampled children and what forked from them, newest first.
   */
  walk(
    from: Position,
    said: readonly Message[],
    restates?: Restates,
  ): { readonly at: Position; readonly matched: number } {
    let places: readonly (number | null)[] = [from.node];
    let matched = 0;
    for (const message of said) {
      const next = this.#children(places, from.toolList, message, restates);
      if (next.length === 0) break;
      places = next;
      matched++;
    }
    return { at: { node: places[0] ?? null, toolList: from.toolList }, matched };
  }

  /**
   * Adds a turn after `from`: the prompt messages not known there (a parallel call may have added
   * some meanwhile), then the reply, always as a node of its own. With the turn's tokens a node is reused only
   * while the prompt's ids go on with its own; from the first that do not, the messages are added again: a fork.
   * @throws RangeError when the tokens are not those of one call
   */
  commit(
    from: Position,
    prompt: readonly PromptMessage[],
    reply: SampledReply | null,
    options: CommitOptions,
  ): Committed {
    if (reply?.turn !== undefined) {
      return this.#commitTokens(
        from,
        prompt,
        { message: reply.message, turn: reply.turn },
        options,
      );
    }
    const said = prompt.map((message) => message.said);
    const { at: known, matched } = this.walk(from, said, options.restates);
    const path = this.#lastOf(known.node, matched);
    let at = known;
    for (const message of prompt.slice(matched)) {
      const node = this.#addPrompt(at, message, options.timestamp);
      path.push(node);
      at = { node, toolList: from.toolList };
    }
    if (reply === null) return { prompt: path, reply: null };
    const tokens = reply.tokens === undefined ? {} : { tokens: reply.tokens };
    const node = this.#add(at, {
      message: reply.message,
      sampled: true,
      timestamp: options.timestamp,
      ...tokens,
    });
    return { prompt: path, reply: node };
  }

  /** Adds a message that nobody sampled, linked to what caused it (a rewritten reply beside the sampled one). */
  addBeside(
    at: Position,
    message: Message,
    links: readonly CausalLink[],
    timestamp: number,
  ): number {
    return this.#add(at, { message, sampled: false, links, timestamp });
  }

  /** Names a causal link of a node that is there already; naming it again changes nothing. */
  link(node: number, link: CausalLink): void {
    const target = this.#node(node);
    this.#node(link.node);
    if (node === link.node) throw new RangeError(`node ${node} cannot be its own cause`);
    const links = target.links ?? [];
    if (links.some((known) => known.node === link.node && known.type === link.type)) return;
    this.#nodes[node] = { ...target, links: [...links, link] };
  }

  /** Takes a node of a stored record, in order. @throws RangeError when its parent does not precede it */
  restore(node: TraceNode): void {
    if (node.parent !== null && this.#nodes[node.parent] === undefined) {
      throw new RangeError(
        `node ${this.#nodes.length} names parent ${node.parent}, which does not precede it`,
      );
    }
    this.#insert(node, node.parent === null ? this.start(node.tools ?? []).toolList : 0);
  }

  /** Nodes that are nobody's parent, in order; each ends a branch. */
  leaves(): number[] {
    const leaves: number[] = [];
    this.#childCounts.forEach((count, node) => {
      if (count === 0) leaves.push(node);
    });
    return leaves;
  }

  /** Node indices from the root down to `node`. */
  pathTo(node: number): number[] {
    const path: number[] = [];
    for (let at: number | null = node; at !== null; at = this.#node(at).parent) path.push(at);
    return path.reverse();
  }

  #commitTokens(
    from: Position,
    tail: readonly PromptMessage[],
    { message, turn }: { readonly message: AssistantMessage; readonly turn: TurnTokens },
    options: CommitOptions,
  ): Committed {
    checkTurn(turn);
    const known = from.node === null ? [] : this.pathTo(from.node);
    const common = commonPath(
      known.map((index) => this.#node(index)),
      turn.promptIds,
    );
    const path = known.slice(0, common.nodes);
    this.space = widest(this.space, turn.space);
    this.#repairExperts(path, turn, common.ids);
    const forked = known.slice(common.nodes).map((index) => promptOf(this.#node(index)));
    let start = common.ids;
    for (const said of [...forked, ...tail]) {
      const at = { node: path.at(-1) ?? null, toolList: from.toolList };
      const node =
        this.#withTokens(at, path.length, said, turn, start, options.restates) ??
        this.#addSlice(at, path.length, said, turn, start, options.timestamp);
      if (path.length < known.length) this.#addRestatement(at, node);
      start += lengthOf(this.#node(node).tokens);
      path.push(node);
    }
    const reply = this.#add(
      { node: path.at(-1) ?? null, toolList: from.toolList },
      { message, sampled: true, timestamp: options.timestamp, ...replySlice(turn, start) },
    );
    const prompt = path.slice(path.length - tail.length);
    return { prompt, reply, ...(forked.length === 0 ? {} : { forked: true }) };
  }

  /** The last sampled token of a path got its experts only now, in the prefill of the turn that goes on from it. */
  #repairExperts(path: readonly number[], turn: TurnTokens, end: number): void {
    const last = path.findLast((index) => lengthOf(this.#node(index).tokens) > 0);
    const node = last === undefined ? undefined : this.#nodes[last];
    const recorded = node?.sampled === true ? node.tokens?.routedExperts : undefined;
    if (last === undefined || node?.tokens === undefined || recorded === undefined) return;
    const routedExperts = repairedExperts(recorded, turn, end);
    if (routedExperts === null) return;
    this.#nodes[last] = { ...node, tokens: { ...node.tokens, routedExperts } };
  }

  /** The child that holds prompt message `index` with the very tokens that the prompt has from `start` on. */
  #withTokens(
    at: Position,
    index: number,
    { said }: PromptMessage,
    turn: TurnTokens,
    start: number,
    restates: Restates | undefined,
  ): number | undefined {
    const end = endOfSlice(turn, index, start);
    const limit = end ?? limitOfSlice(turn, index);
    const fitting = this.#children([at.node], at.toolList, said, restates).filter((child) => {
      const { tokens } = this.#node(child);
      const length = lengthOf(tokens);
      const ends = end === null ? start + length <= limit : start + length === end;
      return ends && standsAt(tokens, turn.promptIds, start);
    });
    const length = (child: number): number => lengthOf(this.#node(child).tokens);
    return fitting.toSorted((a, b) => length(b) - length(a))[0];
  }

  /** Agents restate a reply in their own words on either side of a fork. */
  #addRestatement(at: Position, node: number): void {
    if (this.#node(node).message.role !== 'assistant') return;
    if (this.#replies.get(parentSeed(at))?.includes(node) === true) return;
    append(this.#replies, parentSeed(at), node);
  }

  #addSlice(
    at: Position,
    index: number,
    { said, sent }: PromptMessage,
    turn: TurnTokens,
    start: number,
    timestamp: number,
  ): number {
    return this.#add(at, {
      message: sent ?? said,
      ...(sent === undefined ? {} : { said }),
      sampled: false,
      timestamp,
      ...promptSlice(turn, start, endOfSlice(turn, index, start) ?? start),
    });
  }

  /** The last `count` nodes of the path that ends here, in its order. */
  #lastOf(node: number | null, count: number): number[] {
    const path: number[] = [];
    for (let at = node; at !== null && path.length < count; at = this.#node(at).parent) {
      path.push(at);
    }
    return path.toReversed();
  }

  #node(index: number): TraceNode {
    const node = this.#nodes[index];
    if (node === undefined)
      throw new RangeError(`no node ${index} in a graph of ${this.#nodes.length}`);
    return node;
  }

  /** Children of any of these places that hold the message, newest first. */
  #children(
    places: readonly (number | null)[],
    toolList: number,
    said: Message,
    restates: Restates | undefined,
  ): readonly number[] {
    const under = places.map((node) => ({ node, toolList }));
    const [only] = under;
    const same =
      under.length === 1 && only !== undefined
        ? this.#same(only, said)
        : under.flatMap((at) => this.#same(at, said));
    if (same.length > 0 || said.role !== 'assistant' || restates === undefined) {
      return same.length > 1 ? newestFirst(same) : same;
    }
    const sampled = under.flatMap((at) => this.#replies.get(parentSeed(at)) ?? []);
    return newestFirst(sampled).filter((node) => isRestated(this.#node(node), said, restates));
  }

  #same(at: Position, said: Message): readonly number[] {
    const slot = seeded(identityOf(said).hash, parentSeed(at));
    const newest = this.#index.get(slot);
    if (newest === undefined) return none;
    const shadowed = this.#shadowed.get(slot);
    if (shadowed === undefined) return this.#is(newest, at, said) ? [newest] : none;
    return [newest, ...shadowed].filter((node) => this.#is(node, at, said));
  }

  #is(index: number, at: Position, said: Message): boolean {
    const node = this.#node(index);
    if (node.parent !== at.node) return false;
    if (node.parent === null && this.#rootToolLists.get(index) !== at.toolList) return false;
    return isSameMessage(node.said ?? node.message, said);
  }

  #addPrompt(at: Position, { said, sent }: PromptMessage, timestamp: number): number {
    return this.#add(at, {
      message: sent ?? said,
      ...(sent === undefined ? {} : { said }),
      sampled: false,
      timestamp,
    });
  }

  #add(at: Position, fields: Omit<TraceNode, 'parent' | 'tools'>): number {
    const tools = this.#toolLists.at(at.toolList);
    const root = at.node === null && tools.length > 0 ? { tools } : {};
    return this.#insert({ parent: at.node, ...root, ...fields }, at.toolList);
  }

  #insert(node: TraceNode, toolList: number): number {
    const at = { node: node.parent, toolList };
    const index = this.#nodes.push(node) - 1;
    this.#childCounts.push(0);
    if (node.parent === null) this.#rootToolLists.set(index, toolList);
    else this.#childCounts[node.parent] = (this.#childCounts[node.parent] ?? 0) + 1;
    const slot = seeded(identityOf(node.said ?? node.message).hash, parentSeed(at));
    const older = this.#index.get(slot);
    if (older !== undefined) append(this.#shadowed, slot, older);
    this.#index.set(slot, index);
    if (node.sampled) append(this.#replies, parentSeed(at), index);
    return index;
  }
}

const none: readonly number[] = [];

/** A recorded message as a prompt has it. */
function promptOf({ message, said }: TraceNode): PromptMessage {
  return said === undefined ? { said: message } : { said, sent: message };
}

function newestFirst(nodes: readonly number[]): readonly number[] {
  return nodes.length < 2 ? nodes : nodes.toSorted((a, b) => b - a);
}

/** Children of nodes and of tool lists' starts, as one number. */
function parentSeed(at: Position): number {
  return at.node ?? -1 - at.toolList;
}

function isRestated(node: TraceNode, said: AssistantMessage, restates: Restates): boolean {
  const sampled = node.said ?? node.message;
  return sampled.role === 'assistant' && restates(sampled, said);
}

function append(lists: Map<number, number[]>, key: number, item: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
