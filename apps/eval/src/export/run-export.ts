import type { Export, Exported } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { exportError } from '@vf/export-kit';
import type { Secrets } from '@vf/run';
import { episodes } from '@vf/store';
import { printDocument } from '../json/print.ts';
import { mask } from '../masking.ts';
import { typedRun } from '../typed.ts';
import type { Term } from '../where/parse-where.ts';
import type { Destination } from './destination.ts';
import { Omissions } from './omissions.ts';
import type { ReasonCount } from './omissions.ts';
import type { Planned } from './plan-order.ts';
import { showProgress } from './progress.ts';
import { exportRecords } from './records.ts';
import type { ReadCounts } from './records.ts';
import { reportDocument, reportLines } from './report.ts';

export interface ExportJob {
  /** Name of the run. */
  readonly run: string;
  /** Id of the plugin, as it was given. */
  readonly to: string;
  readonly dir: string;
  readonly terms: readonly Term[];
  readonly exporter: Export;
  readonly config: Readonly<Record<string, unknown>>;
  readonly destination: Destination;
  readonly secrets: Secrets;
  readonly unset: readonly string[];
  readonly planned: Planned;
}

/**
 * Writes the export and says what it did. @returns the exit code
 * @throws VfError store/not_exportable when there is nothing, or everything was left out; nothing has been written then
 */
export async function runExport(
  job: ExportJob,
  flags: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<number> {
  const { destination } = job;
  const omissions = new Omissions(destination.diagnosticsPart);
  const counts: ReadCounts = { episodes: 0, masked: 0, maskedEpisodes: 0, maskedWithTokens: 0 };
  const isQuiet = flags.has('quiet') || flags.has('json');
  const exported = await written(job, omissions, counts, isQuiet, signal);
  await omissions.close();
  if (exported.written === 0 && omissions.total > 0) throw nothingLeft(job, omissions);
  if (counts.episodes === 0) throw noEpisode(job);
  await destination.commit(omissions.total > 0);
  const report = { ...job, exported, counts, omissions };
  if (flags.has('json')) return printDocument(reportDocument(report));
  if (!flags.has('quiet'))
    for (const line of reportLines(report)) process.stderr.write(mask(`${line}\n`));
  return 0;
}

async function written(
  job: ExportJob,
  omissions: Omissions,
  counts: ReadCounts,
  isQuiet: boolean,
  signal: AbortSignal,
): Promise<Exported> {
  const { dir, terms, exporter, config, destination, secrets, planned } = job;
  const endProgress = isQuiet ? () => undefined : showProgress(() => counts.episodes);
  try {
    return await exporter.write({
      episodes: exportRecords(dir, terms, { secrets, counts, planned, signal }),
      path: destination.part,
      config,
      signal,
      omit: (omission) => omissions.add(omission),
    });
  } catch (error) {
    await omissions.close();
    signal.throwIfAborted();
    throw exportError(error, job.to, destination.shown);
  } finally {
    endProgress();
  }
}

function noEpisode({ run, dir, terms }: ExportJob): VfError {
  const what = terms.length === 0 ? 'has no episode' : 'has no episode that --where lets through';
  return new VfError('store/not_exportable', `${run} ${what}; nothing is written`, {
    hint: `vf show ${typedRun(dir, run)} tells what is there`,
  });
}

function nothingLeft({ run, dir, to, planned }: ExportJob, omissions: Omissions): VfError {
  const reasons = omissions.reasons.map(({ reason, count }) => `${count}: ${reason}`);
  return new VfError(
    'store/not_exportable',
    `nothing of ${run} can be written for ${to} (${reasons.join('; ')})`,
    {
      problems: omissions.problems(),
      hint: hintFor(omissions.reasons, typedRun(dir, run), planned),
    },
  );
}

const tokensHint =
  'exact tokens come from an engine: client.type = "train" with client.engine, and the run anew; verifiers, csv and the rollouts of parquet need none';

/** @throws VfError store/not_exportable for a run of which no reply has tokens, when the form takes nothing else */
export async function refuseTokenless(
  { id, needsTokens = false }: Export,
  dir: string,
  run: string,
): Promise<void> {
  if (!needsTokens) return;
  let count = 0;
  for await (const { traces } of episodes(dir)) {
    count++;
    if (traces.some(({ graph }) => graph.nodes.some(({ tokens }) => tokens !== undefined))) return;
  }
  if (count === 0) return;
  throw new VfError(
    'store/not_exportable',
    `nothing of ${run} can be written for ${id}: replies have no token ids, in none of ${count} episodes`,
    { hint: tokensHint },
  );
}

/** What mends the most frequent reason. */
function hintFor([first]: readonly ReasonCount[], run: string, { isElsewhere }: Planned): string {
  const reason = first?.reason ?? '';
  if (/logprobs/.test(reason))
    return 'start the engine with logprobs and play the run anew; --to parquet --export.rows samples takes it without';
  if (/token/.test(reason)) return tokensHint;
  if (/score|completed|failed/.test(reason))
    return `vf show ${run} --errors tells why, ${isElsewhere ? 'the program that played it' : `vf resume ${run}`} plays them again; --to verifiers takes them as they are`;
  return `vf show ${run} shows them; --to verifiers takes every episode as it is, --to csv a row of each`;
}
