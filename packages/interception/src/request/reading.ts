import type { Call, Dialect, Message, Settings, ToolSpec } from '@vf/core';
import type { Committed, MessageGraph, Position } from '@vf/core/trace';
import { extended, segmentsBefore } from './head.ts';
import type { Head, KnownItem, Mark } from './head.ts';
import { changesOf } from './item-changes.ts';
import type { ItemChange } from './item-changes.ts';
import { jsonBytes } from './json-bytes.ts';
import type { Span } from './json-walk.ts';
import { groupsOf, markAt } from './new-items.ts';
import type { NewItems } from './new-items.ts';
import type { EditedRequest, ReadRequest, TailMessage } from './read-request.ts';
import type { Rooted } from './root.ts';
import type { Rope } from './rope.ts';
import type { ShellEdits, Shell, Top } from './shell.ts';
import { applySplices, spliceEntries } from './splice.ts';
import type { Splice } from './splice.ts';

/** What a reading is made of. */
export interface ReadingParts {
  readonly graph: MessageGraph;
  readonly dialect: Pick<Dialect, 'request'>;
  readonly body: readonly Uint8Array[];
  readonly rope: Rope;
  readonly path: string;
  readonly shell: Shell;
  readonly rooted: Rooted;
  /** Null when the request has no growing array. */
  readonly items: { readonly inside: Span; readonly fresh: NewItems } | null;
  remember(head: Head, fresh: NewItems): void;
}

const noRewrites: ReadonlyMap<number, Message> = new Map();

/** A request read as a shell around items, of which only the new ones were parsed. */
export class Reading implements ReadRequest {
  readonly parsed = true;
  readonly top: Top;
  readonly settings: Settings;
  readonly tools: readonly ToolSpec[];
  readonly at: Position;
  readonly tail: readonly TailMessage[];
  readonly known: number;
  readonly continues: Rooted['continues'];
  readonly #parts: ReadingParts;
  /** Canonical messages of the new items, and the nodes of the first of them, which are recorded already. */
  readonly #said: readonly Message[];
  readonly #nodes: readonly number[];
  /** Where the new items begin. */
  readonly #start: Mark;

  constructor(parts: ReadingParts) {
    const { graph, dialect, shell, rooted, items, path } = parts;
    this.#parts = parts;
    this.top = shell.top;
    this.settings = shell.settings(path);
    this.tools = shell.tools;
    this.continues = rooted.continues;
    this.#start = markAt(items?.fresh.base ?? null, items?.fresh.from ?? 0, { node: rooted.at.node, messages: 0 });
    this.#said = items?.fresh.groups.flatMap((group) => group.messages) ?? [];
    const from = { node: this.#start.node, toolList: rooted.at.toolList };
    const isRooted = rooted.rest.length === 0;
    const { at, matched } = graph.walk(from, isRooted ? this.#said : [], dialect.request.restates.bind(dialect.request));
    this.at = at;
    this.#nodes = lastNodes(graph, at, matched);
    this.known = rooted.recorded + this.#start.messages + matched;
    this.tail = [
      ...rooted.rest.map((said) => ({ said, rewritable: false })),
      ...this.#said.slice(matched).map((said) => ({ said, rewritable: true })),
    ];
  }

  edited(want: Partial<Settings>, rewrites: ReadonlyMap<number, Message> = noRewrites): EditedRequest {
    const { body, rope, shell, path } = this.#parts;
    const shellEdits = shell.edits(want, path);
    const splices = [...this.#shellSplices(shellEdits), ...this.#itemSplices(shellEdits, rewrites)];
    splices.sort((a, b) => a.start - b.start);
    return {
      body: splices.length === 0 ? body : applySplices(rope, splices),
      path: shellEdits.path,
      edits: shellEdits.edits,
      settings: shellEdits.settings,
      call: () => this.#call(shellEdits, rewrites),
    };
  }

  settle({ prompt }: Pick<Committed, 'prompt'>): void {
    const { graph, rooted, items, remember } = this.#parts;
    if (prompt.length !== this.tail.length) throw new RangeError(`${prompt.length} nodes for ${this.tail.length} messages`);
    if (items === null) return;
    const { fresh } = items;
    const nodes = [...this.#nodes, ...prompt.slice(rooted.rest.length)];
    const root = rooted.rest.length === 0 ? rooted.at.node : (prompt[rooted.rest.length - 1] ?? null);
    const { known, end } = this.#knownItems(fresh, nodes, { ...this.#start, node: fresh.from === 0 ? root : this.#start.node });
    const head: Head = {
      root: { node: root, toolList: rooted.at.toolList },
      segments: extended(segmentsBefore(fresh.base?.segments ?? [], fresh.offset), fresh),
      items: [...(fresh.base?.items.slice(0, fresh.from) ?? []), ...known],
      end,
      last: fresh.last,
      changes: [...oldChanges(fresh), ...this.#newChanges(fresh, (index) => sentForm(graph, nodes[index]))],
    };
    remember(head, fresh);
  }

  #knownItems({ spans, groups, from }: NewItems, nodes: readonly number[], start: Mark): { readonly known: KnownItem[]; readonly end: Mark } {
    const known: KnownItem[] = spans.map((span) => ({ ...span, opening: null }));
    let mark = start;
    let done = 0;
    for (const { first, messages } of groups) {
      const item = known[first - from];
      if (item !== undefined) known[first - from] = { ...item, opening: mark };
      done += messages.length;
      mark = { node: done === 0 ? start.node : (nodes[done - 1] ?? null), messages: start.messages + done };
    }
    return { known, end: mark };
  }

  #shellSplices({ splices }: ShellEdits): Splice[] {
    const { shell, items } = this.#parts;
    const length = items === null ? 0 : items.inside.end - items.inside.start;
    return splices.map(({ start, end, bytes }) => ({ start: shell.inBody(start, length), end: shell.inBody(end, length), bytes }));
  }

  #itemSplices({ edits, isArrayGone }: ShellEdits, rewrites: ReadonlyMap<number, Message>): Splice[] {
    const { items } = this.#parts;
    if (items === null || isArrayGone) return [];
    const { inside, fresh } = items;
    const changes = new Map<number, Buffer | null>();
    for (const { item, bytes } of oldChanges(fresh)) changes.set(item, bytes);
    for (const { item, bytes } of this.#newChanges(fresh, (index) => this.#rewritten(index, rewrites))) changes.set(item, bytes);
    for (const edit of edits) {
      if ('item' in edit) changes.set(edit.item, edit.value === undefined ? null : jsonBytes(edit.value));
    }
    if (changes.size === 0) return [];
    const spans: Span[] = [...(fresh.base?.items.slice(0, fresh.from) ?? []), ...fresh.spans];
    const ascending = [...changes].sort(([a], [b]) => a - b);
    return spliceEntries(spans, ascending).map(({ start, end, bytes }) => ({ start: inside.start + start, end: inside.start + end, bytes }));
  }

  /** Changes of the new items by what each new message is replaced with. */
  #newChanges({ groups }: NewItems, replacement: (index: number) => Message | undefined): ItemChange[] {
    const changes: ItemChange[][] = [];
    let done = 0;
    for (const { first, values, messages } of groups) {
      const replacements = new Map<number, Message>();
      for (let index = 0; index < messages.length; index++) {
        const message = replacement(done + index);
        if (message !== undefined) replacements.set(index, message);
      }
      if (replacements.size > 0) changes.push(changesOf(this.#parts.dialect.request, values, first, replacements));
      done += messages.length;
    }
    return changes.flat();
  }

  /** What a new message goes upstream as, when not as it was said. */
  #rewritten(index: number, rewrites: ReadonlyMap<number, Message>): Message | undefined {
    if (index < this.#nodes.length) return sentForm(this.#parts.graph, this.#nodes[index]);
    return rewrites.get(this.#parts.rooted.rest.length + index - this.#nodes.length);
  }

  #call({ top, edits, settings, isArrayGone }: ShellEdits, rewrites: ReadonlyMap<number, Message>): Call {
    const { graph, dialect, rooted, rope, items } = this.#parts;
    const path = this.at.node === null ? [] : graph.pathTo(this.at.node);
    const text = items === null || isArrayGone ? '' : rope.copy(items.inside.start, items.inside.end).toString('utf8');
    const all = groupsOf(dialect.request, JSON.parse(`[${text}]`) as unknown[], 0).flatMap((group) => group.messages);
    const recorded = this.known - rooted.recorded;
    const messages = all.map((said, index) => {
      if (index < recorded) return sentForm(graph, path[rooted.recorded + index]) ?? said;
      return rewrites.get(rooted.rest.length + index - recorded) ?? said;
    });
    const tools = edits.length === 0 ? this.tools : dialect.request.tools(top);
    if (rooted.continues === null || rooted.continues.node === null) {
      return { preamble: dialect.request.preamble(top), messages, tools, settings };
    }
    const earlier = path.slice(0, rooted.recorded).flatMap((node) => graph.nodes[node]?.message ?? []);
    return { preamble: [], messages: [...earlier, ...rooted.rest, ...messages], tools, settings };
  }
}

function oldChanges({ base, from }: NewItems): readonly ItemChange[] {
  return base === null ? [] : base.changes.filter((change) => change.item < from);
}

/** The form of a recorded message that the model sees, when it is not the one that was said. */
function sentForm(graph: MessageGraph, node: number | undefined): Message | undefined {
  const recorded = node === undefined ? undefined : graph.nodes[node];
  return recorded?.said === undefined ? undefined : recorded.message;
}

/** The last `count` nodes on the way to `at`, in order. */
function lastNodes(graph: MessageGraph, at: Position, count: number): number[] {
  const nodes: number[] = [];
  for (let node = at.node; node !== null && nodes.length < count; node = graph.nodes[node]?.parent ?? null) nodes.push(node);
  return nodes.reverse();
}
