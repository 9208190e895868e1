import type { Timing, Trace } from '@vf/core';
import { thrownAt } from '@vf/core/trace';
import type { TraceError } from '@vf/core/trace';
import type { IndexEntry } from '@vf/store';
import {
  formatBig,
  formatCost,
  formatPercent,
  formatScore,
  formatSeconds,
  placeText,
} from '../screen/format.ts';
import { messageLines, quoted } from '../screen/message-lines.ts';
import { asName } from '../screen/one-line.ts';
import type { Palette } from '../screen/palette.ts';
import type { NamedRun } from '../typed.ts';
import { besideRows } from './beside.ts';
import { infoRows } from './info-rows.ts';
import { exactTokens } from './token-text.ts';

/** What became of a stored episode. */
export function storedHeader(entry: IndexEntry, run: string, paint: Palette): string[] {
  const { reward, error, stop, turns } = entry;
  const title = `${paint('bold', asName(`${entry.task}:${entry.attempt}`))}${entry.name === undefined ? '' : `   ${asName(entry.name)}`}`;
  return [
    `${title}   episode ${asName(entry.episode)}   run ${asName(run)}`,
    row('reward', [reward === null ? '–, not scored' : formatScore(reward), ...parts(entry)]),
    ...scores('metrics', entry.metrics),
    ...(error === null ? [] : errorLines(error, paint)),
    row('stopped', [
      asName(stop ?? '–'),
      `${turns} turns`,
      ...(entry.retries === 0 ? [] : [`${entry.retries} retries`]),
    ]),
    row('time', [
      formatSeconds(Math.max(0, entry.end - entry.start)),
      `agent ${formatSeconds(entry.agentSeconds)}, of it model ${formatSeconds(entry.modelSeconds)}`,
      `from ${new Date(entry.start * 1000).toISOString()}`,
    ]),
    row('tokens', [
      `${formatBig(entry.inputTokens)} in${cached(entry)}`,
      `${formatBig(entry.outputTokens)} out`,
      `cost ${formatCost(entry.cost)}`,
    ]),
  ];
}

/** One that no line of traces.jsonl holds: under way, or cut off when its process died. */
export function openHeader(
  {
    episode,
    attempt,
    traces,
  }: { readonly episode: string; readonly attempt: number; readonly traces: readonly Trace[] },
  { run, typed }: NamedRun,
  isLive: boolean,
  paint: Palette,
): string[] {
  const task = traces[0]?.task.key ?? '';
  const turns = traces.reduce((sum, trace) => sum + trace.turns, 0);
  return [
    `${paint('bold', asName(`${task}:${attempt}`))}   episode ${asName(episode)}   run ${asName(run)}`,
    row('state', [
      isLive ? 'under way' : `cut off; vf resume ${typed} plays it again`,
      `${turns} turns so far`,
    ]),
  ];
}

/** Who worked, how long each stage took, and who was asked beside it. */
export function traceHeader(trace: Trace, paint: Palette, isFull = false): string[] {
  const { agent, timing, errors } = trace;
  const { harness, runtime, model } = agent;
  const exact = exactTokens(trace);
  const version = harness.version === null ? '' : ` ${harness.version}`;
  return [
    row('agent', [asName(`${agent.name}: ${model} · ${harness.id}${version} · ${runtime.id}`)]),
    ...stageTimes(timing),
    ...(exact.length === 0 ? [] : [row('exact', exact)]),
    ...besideRows(trace).map(([name, cells]) => row(name, cells)),
    ...infoRows(trace, isFull).map(([name, cells]) => row(name, cells)),
    ...errors.flatMap((error) => attemptLines(error).map((line) => paint('dim', row('', [line])))),
  ];
}

/** Of the failure of an episode, and of an attempt that was played again. */
const shownLines = { episode: 40, attempt: 6 };

/** The last failure stands above, whole. */
function attemptLines({ type, message, attempt, phase, stack }: TraceError): string[] {
  const [first, ...rest] = messageLines(message, shownLines.attempt);
  const which = attempt === undefined ? '' : `attempt ${attempt}, `;
  const what = `${which}${phase ?? ''}: ${first}${placeText(thrownAt(stack ?? ''))}   [${type}]`;
  return attempt === undefined ? [what] : [what, ...quoted(rest, '  ')];
}

function stageTimes({ boot, setup, agent, finalize, scoring }: Timing): string[] {
  const spans = Object.entries({ boot, setup, agent, finalize, scoring }).flatMap(([name, span]) =>
    span === undefined ? [] : [`${name} ${formatSeconds(Math.max(0, span.end - span.start))}`],
  );
  return spans.length === 0 ? [] : [row('stages', spans)];
}

function parts({ rewards, weights }: IndexEntry): string[] {
  return Object.entries(rewards).map(
    ([name, score]) => `${asName(name)} ${formatScore(score)} × ${weights[name] ?? 1}`,
  );
}

function scores(title: string, values: Readonly<Record<string, number | null>>): string[] {
  const cells = Object.entries(values).map(
    ([name, value]) => `${asName(name)} ${formatScore(value)}`,
  );
  return cells.length === 0 ? [] : [row(title, cells)];
}

function errorLines(
  { code, message, phase, at }: NonNullable<IndexEntry['error']>,
  paint: Palette,
): string[] {
  const [first, ...rest] = messageLines(message, shownLines.episode);
  return [
    row('error', [
      paint('red', `${code}${phase === undefined ? '' : ` in ${phase}`}`),
      `${first}${placeText(at)}`,
    ]),
    ...quoted(rest, '            '),
  ];
}

function cached({ cachedInputTokens, inputTokens }: IndexEntry): string {
  return cachedInputTokens === 0
    ? ''
    : ` (${formatPercent(cachedInputTokens, inputTokens)} cached)`;
}

/** One line of a header. */
export function row(name: string, cells: readonly string[]): string {
  return `  ${name.padEnd(9)} ${cells.join('   ')}`;
}
