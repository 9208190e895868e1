import type { Call, Message } from '@vf/core';
import type { Position } from '@vf/core/trace';
import { groupsOf } from './new-items.ts';
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
  const tools = edits.length === 0 ? parts.shell.tools : dialect.request.tools(top);
  if (rooted.continues === null || rooted.continues.node === null) {
    return { preamble: dialect.request.preamble(top), messages, tools, settings };
  }
  const earlier = path
    .slice(0, rooted.recorded)
    .flatMap((node) => graph.nodes[node]?.message ?? []);
  return { preamble: [], messages: [...earlier, ...rooted.rest, ...messages], tools, settings };
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
