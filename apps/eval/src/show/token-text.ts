import type { NodeTokens, Trace } from '@vf/core';
import { firstSampled, weightVersions } from '@vf/core/trace';
import { formatBig, formatCount } from '../screen/format.ts';
import { asName } from '../screen/one-line.ts';

/** Numbers of a list that are shown without `--full`. */
const shownNumbers = 24;

/** `ids 1,204 + 56, logprobs 56`: of the prompt, sampled, told. null for a reply whose tokens are not known. */
export function turnTokens(trace: Trace, node: number): string | null {
  const counts = countsAt(trace, node);
  if (counts === null) return null;
  const { prompt, sampled, logprobs } = counts;
  return `ids ${formatCount(prompt)} + ${formatCount(sampled)}, logprobs ${formatCount(logprobs)}`;
}

/** How many replies of a trace have exact tokens, and where these are; none for a trace without. */
export function exactTokens(trace: Trace): readonly string[] {
  const replies = trace.graph.nodes.flatMap((node, at) => (node.sampled ? [at] : []));
  const counts = replies.flatMap((at) => countsAt(trace, at) ?? []);
  if (counts.length === 0) return [];
  const sampled = counts.reduce((sum, each) => sum + each.sampled, 0);
  const logprobs = counts.reduce((sum, each) => sum + each.logprobs, 0);
  return [
    `${counts.length} of ${replies.length} turns`,
    `${formatBig(sampled)} sampled`,
    `${formatBig(logprobs)} logprobs`,
    ...weightsText(trace.calls),
    '--call N shows those of a turn, --json all',
  ];
}

/** `weights step-1`: the versions that sampled, in the order of their use; none where the engine does not say. */
function weightsText(calls: Trace['calls']): readonly string[] {
  const versions = weightVersions(calls);
  return versions.length === 0 ? [] : [asName(`weights ${versions.join(', ')}`)];
}

/** The numbers of one call, each list on a row: what was sent, what was sampled. Files keep logprobs at four decimals. */
export function tokenRows(
  trace: Trace,
  node: number,
  isFull: boolean,
): readonly (readonly [name: string, text: string])[] {
  const counts = countsAt(trace, node);
  const tokens = trace.graph.nodes[node]?.tokens;
  if (counts === null || tokens === undefined) return [];
  const ids = tokens.ids.subarray(firstSampled(tokens));
  const shown = (list: ArrayLike<number>, digits?: number): string =>
    listText(list, isFull, digits);
  return [
    ['exact', turnTokens(trace, node) ?? ''],
    ['prompt', shown(promptIds(trace, node))],
    ['sampled', shown(ids)],
    ...(counts.logprobs === 0
      ? []
      : [['logprobs', `${shown(tokens.logprobs, 4)}   (rounded to 4 decimals)`] as const]),
  ];
}

/** Of every message before the reply, and of what opens it. */
function promptIds({ graph }: Trace, node: number): number[] {
  const own = graph.nodes[node]?.tokens;
  const before = graph.pathTo(node).slice(0, -1);
  return [
    ...before.flatMap((at) => Array.from(graph.nodes[at]?.tokens?.ids ?? [])),
    ...(own === undefined ? [] : own.ids.subarray(0, firstSampled(own))),
  ];
}

function countsAt({ graph }: Trace, node: number) {
  const tokens = graph.nodes[node]?.tokens;
  if (tokens === undefined || graph.nodes[node]?.sampled !== true) return null;
  const before = graph.pathTo(node).slice(0, -1);
  const lengths = before.map((at) => graph.nodes[at]?.tokens?.ids.length ?? 0);
  const start = firstSampled(tokens);
  return {
    prompt: lengths.reduce((sum, length) => sum + length, start),
    sampled: sampledOf(tokens),
    logprobs: tokens.logprobs.length,
  };
}

function sampledOf({ mask }: NodeTokens): number {
  return mask.reduce((sum, bit) => sum + bit, 0);
}

function listText(list: ArrayLike<number>, isFull: boolean, digits?: number): string {
  const shown = Array.from(list).slice(0, isFull ? list.length : shownNumbers);
  const numbers = shown.map((value) =>
    digits === undefined ? String(value) : value.toFixed(digits),
  );
  const rest = list.length - shown.length;
  return [...numbers, ...(rest === 0 ? [] : [`… ${formatCount(rest)} more (--full)`])].join(' ');
}
