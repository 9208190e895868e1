import { isInfrastructure } from '@vf/core/errors';
import { nameWidth } from './name-width.ts';
import { asName } from './one-line.ts';
import type { RunSummary } from '@vf/run/summary';
import { raised } from './stop-text.ts';
import { typedRun } from '../typed.ts';
import {
  formatBig,
  formatBytes,
  formatCost,
  formatCount,
  formatCounted,
  formatPath,
  formatPercent,
  formatScore,
  formatSeconds,
} from './format.ts';

type Estimate = NonNullable<RunSummary['turns']>;

/**
 * The table at the end of a run, and what `vf show RUN` prints.
 * @param parent the run whose traces were scored again
 */
export function summaryText(
  summary: RunSummary,
  traceBytes: number | null,
  parent: string | null = null,
): string {
  const { figures } = summary;
  const lines = [
    heading(summary),
    ...(parent === null ? [] : [`  rescored from ${asName(parent)}; no agent was played`]),
    ...table(summary),
    ...passLine(summary),
    ...unscoredLine(summary),
    ...(summary.gateFailed === undefined ? [] : [`  gate      ${summary.gateFailed}`]),
  ];
  if (Object.keys(summary.errors).length > 0)
    lines.push(`  errors    ${counts(summary.errors, (code, n) => `${n} ${asName(code)}`)}`);
  lines.push(`  stopped   ${counts(summary.stops, (stop, n) => `${asName(stop)} ${n}`) || '–'}`);
  lines.push(...cutShortLine(summary));
  lines.push(
    `  tokens    ${formatBig(summary.inputTokens)} in${cached(summary)}   ${formatBig(summary.outputTokens)} out        cost ${formatCost(summary.cost)}${perSolved(summary)}`,
  );
  lines.push(
    `  traces    ${asName(formatPath(summary.dir))}/traces.jsonl${traceBytes === null ? '' : `  (${formatBytes(traceBytes)})`}`,
  );
  const next = nextCommands(summary);
  if (next.length > 0) lines.push(`  next      ${next.join('      ')}`);
  if (figures.rollouts < summary.planned.rollouts)
    lines.splice(
      1,
      0,
      `  ${formatCount(figures.rollouts)} of ${formatCount(summary.planned.rollouts)} rollouts are there (${summary.status})`,
    );
  return lines.join('\n');
}

function heading({
  taskset,
  models,
  harnesses,
  runtimes,
  planned,
  seconds,
  sessionSeconds,
  figures,
}: RunSummary): string {
  const agents = harnesses.map(({ id, version }) => (version === null ? id : `${id} ${version}`));
  const what = [taskset, models.join(', '), agents.join(', '), runtimes.join(', ')].join(' · ');
  const session =
    sessionSeconds === undefined ? '' : `, the last session ${formatSeconds(sessionSeconds)}`;
  return `${asName(what)}       ${formatCounted(figures.rollouts, 'rollout')}, ${formatCounted(planned.tasks, 'task')} × ${planned.attempts}    ${formatSeconds(seconds)}${session}`;
}

function table({ figures, weights, turns }: RunSummary): string[] {
  const basis =
    figures.reward.basis === 'tasks' && figures.attempts > 1
      ? 'by task, clustered'
      : figures.reward.basis === 'attempts'
        ? 'attempts at one task'
        : '';
  const rows: readonly Row[] = [
    { name: 'reward', estimate: figures.reward, note: basis },
    ...Object.entries(figures.rewards).map(([name, estimate]) => ({
      name: `  ${name}`,
      estimate,
      note: `weight ${weights[name] ?? 1}`,
    })),
    ...Object.entries(figures.metrics).map(([name, estimate]) => ({ name, estimate })),
    ...(turns === null ? [] : [{ name: 'turns', estimate: turns, digits: 1 }]),
  ];
  const width = nameWidth(rows.map(({ name }) => asName(name)));
  const header = `  ${''.padEnd(width)}    mean    95 % interval        n`;
  return [header, ...rows.map((row) => rowText(row, width))];
}

interface Row {
  readonly name: string;
  readonly estimate: Estimate;
  readonly note?: string;
  readonly digits?: number;
}

function rowText({ name, estimate, note = '', digits = 3 }: Row, width: number): string {
  const { mean, interval, n } = estimate;
  const shown = (value: number | null): string => (value === null ? '–' : value.toFixed(digits));
  const range = interval === null ? '–' : `${shown(interval[0])} … ${shown(interval[1])}`;
  return `  ${asName(name).padEnd(width)} ${shown(mean).padStart(7)}    ${range.padEnd(15)} ${formatCount(n).padStart(6)}${note === '' ? '' : `      ${note}`}`;
}

/** A task counts from k scored attempts on; of how many that is true is said where it is not of all. */
function passLine({ figures, planned }: RunSummary): string[] {
  const { pass, attempts, tasks } = figures;
  if (attempts < 2) return [];
  const over = (shortTasks: number): string => {
    const counted = tasks - shortTasks;
    return counted >= planned.tasks
      ? ''
      : ` (${formatCount(counted)} of ${formatCount(planned.tasks)} tasks)`;
  };
  const any = pass.flatMap(({ k, any: value, shortTasks }) =>
    value.mean === null ? [] : [`pass@${k} ${value.mean.toFixed(2)}${over(shortTasks)}`],
  );
  const all = pass.flatMap(({ k, all: value, shortTasks }) =>
    value.mean === null || k === 1 ? [] : [`pass^${k} ${value.mean.toFixed(2)}${over(shortTasks)}`],
  );
  return any.length === 0 ? [] : [`  ${[...any, ...all.slice(-1)].join('   ')}`];
}

function unscoredLine({ figures }: RunSummary): string[] {
  const { unscored, rollouts, bounds } = figures;
  if (unscored === 0) return [];
  return [
    `  unscored  ${formatCount(unscored)} (${formatPercent(unscored, rollouts)})      ${asIf(bounds.worst)}   ${asIf(bounds.best)}`,
  ];
}

/** Runs of before that was counted have no such line. */
function cutShortLine({ truncated = {}, figures }: RunSummary): string[] {
  const count = Object.values(truncated).reduce((sum, n) => sum + n, 0);
  if (count === 0) return [];
  const by = counts(truncated, (what, n) => `${asName(what)} ${n}`);
  return [
    `  cut short ${formatCount(count)} of ${formatCount(figures.rollouts)} rollouts, by ${by}`,
  ];
}

/** `all as 1.1: 0.617`: named by what a rollout can get, which is not 1 where weights sum to more. */
function asIf({ reward, mean }: { readonly reward: number; readonly mean: number | null }): string {
  return `all as ${Number(reward.toFixed(3))}: ${formatScore(mean)}`;
}

function counts(
  record: Readonly<Record<string, number>>,
  text: (name: string, count: string) => string,
): string {
  return Object.entries(record)
    .sort(([, a], [, b]) => b - a)
    .map(([name, n]) => text(name, formatCount(n)))
    .join('   ');
}

function cached({ cachedInputTokens, inputTokens }: RunSummary): string {
  return cachedInputTokens === 0
    ? ''
    : ` (${formatPercent(cachedInputTokens, inputTokens)} cached)`;
}

function perSolved({ cost, figures }: RunSummary): string {
  return cost === null || cost === 0 || figures.solved === 0
    ? ''
    : `, ${formatCost(cost / figures.solved)} a solved rollout`;
}

function nextCommands(summary: RunSummary): string[] {
  const { run: name, dir, errors, figures, planned, usedUp, boxToScore = false } = summary;
  const run = typedRun(dir, name);
  const showErrors = figures.unscored > 0 ? [`vf show ${run} --errors`] : [];
  // Its folder is locked: what a resume or a rescore would do, it may still do itself.
  if (summary.status === 'running') return [`vf show ${run} --follow`, ...showErrors];
  if (summary.elsewhere === true) return showErrors;
  const missing = planned.rollouts - figures.rollouts;
  const rerun =
    missing + sumWhere(errors, (code) => isInfrastructure(code) || code.startsWith('internal/'));
  const more = usedUp === undefined || usedUp === 'time' ? '' : ` ${raised(usedUp)}`;
  const isInBox = (code: string): boolean => boxToScore || code === 'scoring/box_gone';
  const misscored = (inBox: boolean): number =>
    sumWhere(errors, (code) => code.startsWith('scoring/') && isInBox(code) === inBox);
  return [
    ...showErrors,
    ...(rerun > 0 ? [`vf resume ${run}${more} (${formatCount(rerun)})`] : []),
    ...(misscored(true) > 0
      ? [`vf resume ${run} --include scoring (${formatCount(misscored(true))})`]
      : []),
    ...(misscored(false) > 0 ? [`vf rescore ${run} (${formatCount(misscored(false))})`] : []),
  ];
}

function sumWhere(
  record: Readonly<Record<string, number>>,
  matches: (code: string) => boolean,
): number {
  return Object.entries(record).reduce((sum, [code, n]) => sum + (matches(code) ? n : 0), 0);
}
