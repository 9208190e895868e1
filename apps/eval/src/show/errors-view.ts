import type { TraceError } from '@vf/core/trace';
import { thrownAt } from '@vf/core/trace';
import { readEpisode } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import { formatCount, placeText } from '../screen/format.ts';
import { messageLines, quoted } from '../screen/message-lines.ts';
import { asName, oneLine } from '../screen/one-line.ts';
import type { Palette } from '../screen/palette.ts';
import { ErrorGroups } from './error-groups.ts';
import type { ErrorGroup, ErrorTotals } from './error-groups.ts';
import { shellWord } from '../typed.ts';
import { loadAbout } from './load-summary.ts';
import { remedyOf } from './remedy.ts';

export interface DescribedGroup extends ErrorGroup {
  readonly remedy: string;
  /** What the model said last in the example; null when it said nothing. */
  readonly lastReply: string | null;
}

export interface DescribedErrors extends ErrorTotals {
  readonly groups: readonly DescribedGroup[];
}

/** Groups the unscored rollouts and looks into one example of each. */
export async function describeErrors(
  dir: string,
  run: string,
  batches: AsyncIterable<readonly IndexEntry[]>,
): Promise<DescribedErrors> {
  const { boxToScore = false, elsewhere = false } = await loadAbout(dir);
  const groups = new ErrorGroups();
  for await (const entries of batches) for (const entry of entries) groups.add(entry);
  const described = groups.list().map(async (group) => {
    const { traces, errors } = await readEpisode(dir, group.example);
    const lastReply = traces.findLast((trace) => trace.lastReply !== null)?.lastReply ?? null;
    const at = group.at ?? placeIn([...errors, ...traces.flatMap((trace) => trace.errors)], group);
    return {
      ...group,
      at,
      remedy: remedyOf(group.code, { typed: run, dir, boxToScore, elsewhere }),
      lastReply,
    };
  });
  return { ...groups.totals, groups: await Promise.all(described) };
}

/** Runs of before the index told it have the place in the trace alone. */
function placeIn(errors: readonly TraceError[], { code, example }: ErrorGroup): string | null {
  const { message } = example.error ?? {};
  const found = errors.findLast((error) => error.type === code && error.message === message);
  return thrownAt(found?.stack ?? '');
}

export function errorsText(
  { groups, rollouts, unscored }: DescribedErrors,
  run: string,
  paint: Palette,
): string {
  if (groups.length === 0) return 'no rollout is unscored because of an error';
  const kinds = groups.length === 1 ? 'one kind of failure' : `${groups.length} kinds of failure`;
  const total = `${formatCount(unscored)} of ${formatCount(rollouts)} rollouts without a score, ${kinds}`;
  return [...groups.map((group) => groupText(group, run, paint)), total].join('\n\n');
}

function beginAndEnd(message: string): string {
  const [first, ...rest] = messageLines(message, 3);
  return [first, ...rest.slice(-1)].map((line) => oneLine(line, 100)).join(' … ');
}

/** Of the example of a group. */
const shownLines = 10;

function groupText(
  { code, count, phases, at, example, others, remedy, lastReply }: DescribedGroup,
  run: string,
  paint: Palette,
): string {
  const where = Object.keys(phases).map((phase) => `in ${asName(phase)}`);
  const name = shellWord(`${example.task}:${example.attempt}`);
  const [first, ...rest] = messageLines(example.error?.message ?? '', shownLines);
  return [
    `${paint('bold', formatCount(count).padStart(6))}  ${paint('red', code)}   ${where.join(', ')}${placeText(at)}`,
    `        ${first}`,
    ...quoted(rest, '          '),
    ...others.map((other) => `        also       ${beginAndEnd(other)}`),
    `        said last  ${lastReply === null ? '–' : oneLine(lastReply, 100)}`,
    `        example    vf show ${run} ${name}`,
    `        fix        ${remedy}`,
  ].join('\n');
}
