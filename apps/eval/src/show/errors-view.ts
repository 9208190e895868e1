import { readEpisode } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import { formatCount } from '../screen/format.ts';
import { oneLine, visible } from '../screen/one-line.ts';
import type { Palette } from '../screen/palette.ts';
import { ErrorGroups } from './error-groups.ts';
import type { ErrorGroup } from './error-groups.ts';
import { remedyOf } from './remedy.ts';

export interface DescribedGroup extends ErrorGroup {
  readonly remedy: string;
  /** What the model said last in the example; null when it said nothing. */
  readonly lastReply: string | null;
}

/** Groups the unscored rollouts and looks into one example of each. */
export async function describeErrors(
  dir: string,
  run: string,
  batches: AsyncIterable<readonly IndexEntry[]>,
): Promise<DescribedGroup[]> {
  const groups = new ErrorGroups();
  for await (const entries of batches) for (const entry of entries) groups.add(entry);
  return Promise.all(
    groups.list().map(async (group) => ({
      ...group,
      remedy: remedyOf(group.code, run),
      lastReply: await lastReplyOf(dir, group.example),
    })),
  );
}

async function lastReplyOf(dir: string, entry: IndexEntry): Promise<string | null> {
  const { traces } = await readEpisode(dir, entry);
  return traces.findLast(({ lastReply }) => lastReply !== null)?.lastReply ?? null;
}

export function errorsText(groups: readonly DescribedGroup[], run: string, paint: Palette): string {
  if (groups.length === 0) return 'no rollout is unscored because of an error';
  return groups.map((group) => groupText(group, run, paint)).join('\n\n');
}

function groupText(
  { code, count, phases, example, remedy, lastReply }: DescribedGroup,
  run: string,
  paint: Palette,
): string {
  const where = Object.entries(phases).map(([phase, n]) =>
    n === count ? `in ${phase}` : `in ${phase} ${n}`,
  );
  const name = `${example.task}:${example.attempt}`;
  const message = visible(example.error?.message ?? '').split('\n');
  return [
    `${paint('bold', formatCount(count).padStart(6))}  ${paint('red', code)}   ${where.join(', ')}`,
    ...message.slice(0, 6).map((line, i) => `        ${i === 0 ? line : `  ${line}`}`),
    `        said last  ${lastReply === null ? '–' : oneLine(lastReply, 100)}`,
    `        example    vf show ${run} ${name}`,
    `        fix        ${remedy}`,
  ].join('\n');
}
