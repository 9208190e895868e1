import type { Dialect } from '@vf/core';
import type { MessageGraph } from '@vf/core/trace';
import { openingBefore } from './head.ts';
import type { Head, Runs } from './head.ts';
import { places } from './locate.ts';
import type { Place } from './locate.ts';
import { readNewItems } from './new-items.ts';
import type { NewItems } from './new-items.ts';
import type { ReadRequest } from './read-request.ts';
import { Reading } from './reading.ts';
import { Roots } from './root.ts';
import type { ReplyNode, Rooted } from './root.ts';
import { Rope } from './rope.ts';
import type { Shell } from './shell.ts';
import { unreadable } from './unreadable.ts';

/** Conversations, and tops around them, that one rollout holds at a time: a fork, a sub-agent, a title request. */
const most = 4;

export interface RequestMemoryOptions {
  /** Node of the recorded reply that the provider gave this id, for `previous_response_id` and its like. */
  readonly replyNode?: ReplyNode;
}

/** What a rollout has sent in one dialect: finds what is new in a request without touching what is old. */
export class RequestMemory {
  readonly #graph: MessageGraph;
  readonly #dialect: Pick<Dialect, 'request'>;
  readonly #roots: Roots;
  /** Newest first. */
  #heads: readonly Head[] = [];
  #shells: readonly Shell[] = [];

  constructor(
    graph: MessageGraph,
    dialect: Pick<Dialect, 'request'>,
    options: RequestMemoryOptions = {},
  ) {
    this.#graph = graph;
    this.#dialect = dialect;
    this.#roots = new Roots(graph, dialect, options.replyNode ?? (() => null));
  }

  /** Never throws. `body`: unpacked bytes as a list of chunks; `path` with its query. */
  read(body: readonly Uint8Array[], path: string): ReadRequest {
    try {
      return this.#read(body, path) ?? unreadable(this.#graph, body, path);
    } catch {
      // Nested deeper than the stack: relayed like a body that does not parse.
      return unreadable(this.#graph, body, path);
    }
  }

  #read(body: readonly Uint8Array[], path: string): Reading | null {
    const rope = new Rope(body);
    const runs: Runs = new Map();
    const sent = { shells: this.#shells, heads: this.#heads };
    for (const place of places(this.#dialect, rope, sent, runs)) {
      const rooted = this.#roots.of(place.shell);
      const items = this.#items(rope, place, rooted, runs);
      if (items === 'no list') continue;
      this.#shells = toFront(this.#shells, place.shell);
      const remember = (head: Head, fresh: NewItems): void => this.#remember(head, fresh);
      return new Reading({
        graph: this.#graph,
        dialect: this.#dialect,
        body,
        rope,
        path,
        shell: place.shell,
        rooted,
        items,
        remember,
        forget: () => this.#forget(),
      });
    }
    return null;
  }

  #items(rope: Rope, { items: inside }: Place, rooted: Rooted, runs: Runs) {
    if (inside === null) return null;
    const { at, rest } = rooted;
    const heads = this.#heads.filter(
      ({ root }) => rest.length === 0 && root.node === at.node && root.toolList === at.toolList,
    );
    const fresh = readNewItems(this.#dialect.request, rope, inside, heads, runs);
    return fresh === null ? 'no list' : { inside, fresh };
  }

  #forget(): void {
    this.#heads = [];
    this.#shells = [];
  }

  /** A head that goes on from another, or differs from it in its last group only, takes its place. */
  #remember(head: Head, { base, from }: NewItems): void {
    const isContinued = base !== null && from >= openingBefore(base.items, base.items.count);
    this.#heads = toFront(
      isContinued ? this.#heads.filter((other) => other !== base) : this.#heads,
      head,
    );
  }
}

function toFront<T>(list: readonly T[], first: T): readonly T[] {
  return [first, ...list.filter((item) => item !== first)].slice(0, most);
}
