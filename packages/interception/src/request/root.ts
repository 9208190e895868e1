import type { Dialect, Message, ToolSpec } from '@vf/core';
import { sortedJson } from '@vf/core/trace';
import type { MessageGraph, Position } from '@vf/core/trace';
import type { Shell } from './shell.ts';

/** Where the conversation of a shell begins in the graph. */
export interface Rooted {
  /** After the messages that stand outside the growing array, as far as they are recorded. */
  readonly at: Position;
  /** Messages on the way to `at`. */
  readonly recorded: number;
  /** Those of them that are not recorded yet. */
  readonly rest: readonly Message[];
  readonly continues: { readonly id: string; readonly node: number | null } | null;
}

export type ReplyNode = (id: string) => number | null;

/** Finds the root of each shell once. */
export class Roots {
  readonly #graph: MessageGraph;
  readonly #dialect: Pick<Dialect, 'request'>;
  readonly #replyNode: ReplyNode;
  readonly #starts = new WeakMap<readonly ToolSpec[], Position>();
  readonly #whole = new WeakMap<Shell, Rooted>();

  constructor(graph: MessageGraph, dialect: Pick<Dialect, 'request'>, replyNode: ReplyNode) {
    this.#graph = graph;
    this.#dialect = dialect;
    this.#replyNode = replyNode;
  }

  of(shell: Shell): Rooted {
    const known = this.#whole.get(shell);
    if (known !== undefined) return known;
    const rooted = this.#find(shell);
    const isFinal =
      rooted.rest.length === 0 && (rooted.continues === null || rooted.continues.node !== null);
    if (isFinal) this.#whole.set(shell, rooted);
    return rooted;
  }

  #find(shell: Shell): Rooted {
    const start = this.#start(shell);
    const preamble = this.#dialect.request.preamble(shell.top);
    const id = this.#dialect.request.continues?.(shell.top) ?? null;
    const node = id === null ? null : this.#replyNode(id);
    const continues = id === null ? null : { id, node };
    if (node === null) return { ...this.#walk(start, preamble, 0), continues };
    const path = this.#graph.pathTo(node);
    // Providers do not carry instructions over, so agents repeat them with each request of one conversation.
    const fresh = preamble.slice(this.#repeated(path, preamble));
    return { ...this.#walk({ node, toolList: start.toolList }, fresh, path.length), continues };
  }

  #start(shell: Shell): Position {
    let start = this.#starts.get(shell.tools);
    if (start === undefined) {
      start = this.#graph.start(shell.tools);
      this.#starts.set(shell.tools, start);
    }
    return start;
  }

  #walk(from: Position, preamble: readonly Message[], before: number): Omit<Rooted, 'continues'> {
    const { at, matched } = this.#graph.walk(from, preamble);
    return { at, recorded: before + matched, rest: preamble.slice(matched) };
  }

  /** How many system messages of the preamble the path begins with. */
  #repeated(path: readonly number[], preamble: readonly Message[]): number {
    const first = preamble.findIndex((message, index) => {
      const node = this.#graph.nodes[path[index] ?? -1];
      return (
        message.role !== 'system' ||
        node === undefined ||
        sortedJson(node.said ?? node.message) !== sortedJson(message)
      );
    });
    return first === -1 ? preamble.length : first;
  }
}
