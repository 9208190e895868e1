import type { Message, Settings, ToolSpec } from '@vf/core';
import type { Committed, Position } from '@vf/core/trace';
import { continuedCall, fullCall } from './full-call.ts';
import type { Mark } from './head.ts';
import { changesOfGroups } from './item-changes.ts';
import { jsonBytes } from './json-bytes.ts';
import type { Span } from './json-walk.ts';
import { markAt } from './new-items.ts';
import type { EditedRequest, ReadRequest, TailMessage } from './read-request.ts';
import type { ReadingParts } from './reading-parts.ts';
import type { Rooted } from './root.ts';
import { lastNodes, sentForm } from './sent-form.ts';
import { keptChanges, settledHead } from './settled-head.ts';
import type { ShellEdits, Top } from './shell.ts';
import { applySplices, spliceEntries } from './splice.ts';
import type { Splice } from './splice.ts';

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
    this.#start = markAt(items?.fresh.base ?? null, items?.fresh.from ?? 0, {
      node: rooted.at.node,
      messages: 0,
    });
    this.#said = items?.fresh.groups.flatMap((group) => group.messages) ?? [];
    const from = { node: this.#start.node, toolList: rooted.at.toolList };
    const isRooted = rooted.rest.length === 0;
    const { at, matched } = graph.walk(
      from,
      isRooted ? this.#said : [],
      dialect.request.restates.bind(dialect.request),
    );
    this.at = at;
    this.#nodes = lastNodes(graph, at, matched);
    this.known = rooted.recorded + this.#start.messages + matched;
    this.tail = [
      ...rooted.rest.map((said) => ({ said, rewritable: false })),
      ...this.#said.slice(matched).map((said) => ({ said, rewritable: true })),
    ];
  }

  edited(
    want: Partial<Settings>,
    rewrites: ReadonlyMap<number, Message> = noRewrites,
  ): EditedRequest {
    const { body, rope, shell, path } = this.#parts;
    const shellEdits = shell.edits(want, path);
    const splices = [...this.#shellSplices(shellEdits), ...this.#itemSplices(shellEdits, rewrites)];
    splices.sort((a, b) => a.start - b.start);
    return {
      body: splices.length === 0 ? body : applySplices(rope, splices),
      path: shellEdits.path,
      edits: shellEdits.edits,
      settings: shellEdits.settings,
      call: ({ asRecorded = false } = {}) =>
        asRecorded && !shellEdits.isArrayGone
          ? continuedCall(this.#parts, this, shellEdits, rewrites)
          : fullCall(this.#parts, this, shellEdits, rewrites),
    };
  }

  settle({ prompt, forked }: Pick<Committed, 'prompt' | 'forked'>): void {
    const { graph, dialect, rooted, items, remember, forget } = this.#parts;
    if (prompt.length !== this.tail.length) {
      throw new RangeError(`${prompt.length} nodes for ${this.tail.length} messages`);
    }
    if (forked === true) return forget();
    if (items === null) return;
    const { fresh } = items;
    const rest = rooted.rest.length;
    const nodes = [...this.#nodes, ...prompt.slice(rest)];
    const root = rest === 0 ? rooted.at.node : (prompt[rest - 1] ?? null);
    const head = settledHead(fresh, {
      root: { node: root, toolList: rooted.at.toolList },
      start: fresh.from === 0 ? { node: root, messages: 0 } : this.#start,
      nodes,
      changes: changesOfGroups(dialect.request, fresh.groups, (index) =>
        sentForm(graph, nodes[index]),
      ),
    });
    remember(head, fresh);
  }

  #shellSplices({ splices }: ShellEdits): Splice[] {
    const { shell, items } = this.#parts;
    const length = items === null ? 0 : items.inside.end - items.inside.start;
    return splices.map(({ start, end, bytes }) => ({
      start: shell.inBody(start, length),
      end: shell.inBody(end, length),
      bytes,
    }));
  }

  #itemSplices(
    { edits, isArrayGone }: ShellEdits,
    rewrites: ReadonlyMap<number, Message>,
  ): Splice[] {
    const { items } = this.#parts;
    if (items === null || isArrayGone) return [];
    const { inside, fresh } = items;
    const fromGroups = changesOfGroups(this.#parts.dialect.request, fresh.groups, (index) =>
      this.#rewritten(index, rewrites),
    );
    const fromEdits = edits.filter((edit) => 'item' in edit);
    const kept = keptChanges(fresh);
    if (kept.length + fromGroups.length + fromEdits.length === 0) return [];
    const changes = new Map<number, Buffer | null>();
    for (const { item, bytes } of [...kept, ...fromGroups]) changes.set(item, bytes);
    for (const { item, value } of fromEdits)
      changes.set(item, value === undefined ? null : jsonBytes(value));
    const spans: Span[] = [...(fresh.base?.items.list.slice(0, fresh.from) ?? []), ...fresh.spans];
    const ascending = [...changes].sort(([a], [b]) => a - b);
    return spliceEntries(spans, ascending).map(({ start, end, bytes }) => ({
      start: inside.start + start,
      end: inside.start + end,
      bytes,
    }));
  }

  /** What a new message goes upstream as, when not as it was said. */
  #rewritten(index: number, rewrites: ReadonlyMap<number, Message>): Message | undefined {
    if (index < this.#nodes.length) return sentForm(this.#parts.graph, this.#nodes[index]);
    return rewrites.get(this.#parts.rooted.rest.length + index - this.#nodes.length);
  }
}
