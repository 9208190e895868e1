import { asName } from '../screen/one-line.ts';
import type { Palette } from '../screen/palette.ts';
import type { Section } from './sections.ts';

const width = 78;

/** `── title ─────────`. */
export function rule(title: string, paint: Palette): string {
  const shown = asName(title);
  return paint('dim', `── ${shown} ${'─'.repeat(Math.max(2, width - shown.length))}`);
}

/** `branch 2, from turn 4 on`; `branch 3, sub-agent called in turn 2`. */
export function sectionTitle(
  { branch, isMain, after, links, nodes }: Section,
  firstBranch: number,
  turns: ReadonlyMap<number, number>,
): string {
  const name = `branch ${firstBranch + branch}${isMain ? ' (main)' : ''}`;
  const causes = links.map(({ type, node }) => causeText(type, turns.get(node)));
  if (causes.length > 0) return `${name}, ${causes.join(', ')}`;
  if (after === null) return branch === 1 ? name : `${name}, a conversation of its own`;
  const turn = turns.get(after);
  if (nodes.length === 0) return `${name}, the same as before`;
  return turn === undefined
    ? `${name}, another way on`
    : `${name}, another way on from turn ${turn}`;
}

const causes: Readonly<Record<string, string>> = {
  subagent_call: 'sub-agent called in',
  subagent_return: 'after a sub-agent returned in',
  subagent_cancel: 'after a sub-agent was cancelled in',
  compaction: 'goes on from the compaction in',
  compaction_attempt: 'compaction of',
  continuation: 'continues',
  agent_message: 'a message from another agent in',
};

function causeText(type: string, turn: number | undefined): string {
  return `${causes[type] ?? `${type} of`} ${turn === undefined ? 'a prompt' : `turn ${turn}`}`;
}
