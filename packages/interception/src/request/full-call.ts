import type { Call, Message, ToolSpec } from '@vf/core';
import type { Position } from '@vf/core/trace';
import { groupsOf } from './new-items.ts';
import type { ReadRequest } from './read-request.ts';
import type { ReadingParts } from './reading-parts.ts';
import { sentForm } from './sent-form.ts';
import type { ShellEdits } from './shell.ts';

/** How far a request is recorded: its messages up to `at`, `known` in number. */
export interface Recorded {
  readonly at: Position;
  readonly known: number;
}

/** A whole request in canonical form, each message as the model sees it; parses all of it. */
export function fullCall(
  parts: ReadingParts,
  { at, known }: Recorded,
  { top, edits, settings, isArrayGone }: ShellEdits,
  rewrites: ReadonlyMap<number, Message>,
): Call {
  const { graph, dialect, rooted } = parts;
  const path = at.node === null ? [] : graph.pathTo(at.node);
  const recorded = known - rooted.recorded;
  const messages = saidMessages(parts, isArrayGone).map((said, index) => {
    if (index < recorded) return sentForm(graph, path[rooted.recorded + index]) ?? said;
    return rewrites.get(rooted.rest.length + index - recorded) ?? said;
  });
  const tools = toolsOf(parts, { edits, top });
  if (rooted.continues === null || rooted.continues.node === null) {
    return { preamble: dialect.request.preamble(top), messages, tools, settings };
  }
  const earlier = path
    .slice(0, rooted.recorded)
    .flatMap((node) => graph.nodes[node]?.message ?? []);
  return { preamble: [], messages: [...earlier, ...rooted.rest, ...messages], tools, settings };
}

/** The same with recorded messages as the graph holds them; parses nothing. */
export function continuedCall(
  parts: ReadingParts,
  { at, tail }: Pick<ReadRequest, 'at' | 'tail'>,
  { top, edits, settings }: ShellEdits,
  rewrites: ReadonlyMap<number, Message>,
): Call {
  const { graph } = parts;
  const path = at.node === null ? [] : graph.pathTo(at.node);
  const recorded = path.flatMap((node) => graph.nodes[node]?.message ?? []);
  const added = tail.map(
    ({ said, rewritable }, index) => (rewritable ? rewrites.get(index) : undefined) ?? said,
  );
  const tools = toolsOf(parts, { edits, top });
  return { preamble: [], messages: [...recorded, ...added], tools, settings };
}

function toolsOf(
  { dialect, shell }: ReadingParts,
  { edits, top }: Pick<ShellEdits, 'edits' | 'top'>,
): readonly ToolSpec[] {
  shell.keepWrittenNumbers();
  return edits.length === 0 ? shell.tools : dialect.request.tools(top);
}

function saidMessages(
  { dialect, rope, items }: ReadingParts,
  isArrayGone: boolean,
): readonly Message[] {
  if (items === null || isArrayGone) return [];
  const text = rope.piece(items.inside.start, items.inside.end).toString('utf8');
  const values = JSON.parse(`[${text}]`) as unknown[];
  return groupsOf(dialect.request, values, 0).flatMap((group) => group.messages);
}
