import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { readIndexStream } from '@vf/store';
import type { IndexEntry } from '@vf/store';
import type { ParsedArgs } from '../args/parse-args.ts';
import { printDocument, printText } from '../json/print.ts';
import { paletteOf } from '../screen/palette.ts';
import { summaryText } from '../screen/summary-text.ts';
import { typedRun } from '../typed.ts';
import { parseWhere } from '../where/parse-where.ts';
import { entriesWhere, episodesText } from './episodes-view.ts';
import { describeErrors, errorsText } from './errors-view.ts';
import { follow } from './follow.ts';
import { loadSummary, parentOf, runName, withTruncated } from './load-summary.ts';
import { taskRows, tasksText } from './tasks-view.ts';

/** `vf show RUN`, with `--errors`, `--where` or `--by task`. */
export async function showRun(dir: string, args: ParsedArgs): Promise<number> {
  const { booleans, values } = args;
  const isJson = booleans.has('json');
  if (booleans.has('follow')) await follow(dir);
  const by = values.get('by');
  if (by !== undefined && by !== 'task')
    throw new VfError('usage/invalid', `--by ${by}`, { hint: '--by task' });
  const where = values.get('where');
  const entries = entriesWhere(dir, parseWhere(where ?? ''), readIndexStream(dir));
  const run = await runName(dir);
  if (booleans.has('errors')) {
    const typed = typedRun(dir, run);
    const errors = await describeErrors(dir, typed, entries);
    if (isJson) return printDocument({ run, rollouts: errors.rollouts, unscored: errors.groups });
    return printText(errorsText(errors, typed, paletteOf(process.stdout)));
  }
  if (by === 'task') {
    const tasks = await taskRows(entries);
    return isJson ? printDocument({ run, tasks }) : printText(tasksText(tasks));
  }
  if (where !== undefined) {
    const found: IndexEntry[] = [];
    for await (const batch of entries) found.push(...batch);
    return isJson ? printDocument({ run, episodes: found }) : printText(episodesText(found));
  }
  return showSummary(dir, isJson);
}

async function showSummary(dir: string, isJson: boolean): Promise<number> {
  const summary = await withTruncated(dir, await loadSummary(dir));
  if (isJson) return printDocument({ summary, parent: await parentOf(dir) });
  const size = await stat(join(dir, 'traces.jsonl')).then(
    (file) => file.size,
    () => null,
  );
  return printText(summaryText(summary, size, await parentOf(dir)));
}
