import { VfError } from '@vf/core/errors';
import { encodeTrace } from '@vf/core/trace';
import { isLive, readEpisode, readEpisodeLine } from '@vf/store';
import type { ParsedArgs } from '../args/parse-args.ts';
import { snake } from '@vf/run/names';
import { printText } from '../json/print.ts';
import { paletteOf } from '../screen/palette.ts';
import { callDocument } from './call-document.ts';
import { tracesText } from './episode-view.ts';
import type { EpisodeViewOptions } from './episode-view.ts';
import { findEpisode } from './find-episode.ts';
import type { FoundEpisode } from './find-episode.ts';
import { typedRun } from '../typed.ts';
import type { NamedRun } from '../typed.ts';
import { keptRows } from './kept-rows.ts';
import { openHeader, row, storedHeader } from './header.ts';
import { runName } from './load-summary.ts';

/** `vf show RUN EPISODE` */
export async function showEpisode(dir: string, ref: string, args: ParsedArgs): Promise<number> {
  const run = await runName(dir);
  const typed = typedRun(dir, run);
  const found = await findEpisode(dir, ref, { run, typed });
  if (args.booleans.has('raw')) return printText(await recordText(dir, found));
  const options: EpisodeViewOptions = {
    isFull: args.booleans.has('full'),
    paint: paletteOf(process.stdout),
    branch: numberOf(args, 'branch'),
    call: numberOf(args, 'call'),
  };
  if (args.booleans.has('json'))
    return printText(await documentText(dir, found, run, options.call));
  const { header, traces } = await contentOf(dir, found, { run, typed }, options);
  return printText([...header, ...tracesText(traces, options)].join('\n'));
}

async function contentOf(
  dir: string,
  found: FoundEpisode,
  named: NamedRun,
  { paint }: EpisodeViewOptions,
) {
  if (found.type === 'open')
    return { header: openHeader(found, named, await isLive(dir), paint), traces: found.traces };
  const { traces } = await readEpisode(dir, found.entry);
  const kept = keptRows(dir, found.entry.episode, traces).map(([name, cells]) => row(name, cells));
  return { header: [...storedHeader(found.entry, named.run, paint), ...kept], traces };
}

/** The record as it is stored; of an open one its traces, a line each. */
async function recordText(dir: string, found: FoundEpisode): Promise<string> {
  if (found.type === 'stored') return readEpisodeLine(dir, found.entry);
  return found.traces.map((trace) => JSON.stringify(encodeTrace(trace))).join('\n');
}

/** @param call null: of the whole episode */
async function documentText(
  dir: string,
  found: FoundEpisode,
  run: string,
  call: number | null,
): Promise<string> {
  if (call !== null) {
    const [{ episode, attempt }, traces] =
      found.type === 'open'
        ? [found, found.traces]
        : [found.entry, (await readEpisode(dir, found.entry)).traces];
    return JSON.stringify({ v: 1, run, episode, attempt, ...callDocument(traces, call) });
  }
  if (found.type === 'open') {
    const { episode, attempt, traces } = found;
    return JSON.stringify({
      v: 1,
      run,
      episode,
      attempt,
      index: null,
      traces: traces.map((trace) => encodeTrace(trace)),
    });
  }
  const record = JSON.parse(await readEpisodeLine(dir, found.entry)) as unknown;
  return JSON.stringify({ v: 1, run, index: snake(found.entry), record });
}

function numberOf({ values }: ParsedArgs, name: string): number | null {
  const text = values.get(name);
  if (text === undefined) return null;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new VfError('usage/invalid', `--${name} ${text} is no number`, { hint: `--${name} 1` });
}
