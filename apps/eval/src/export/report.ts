import type { Exported } from '@vf/core';
import { formatCount, formatCounted, formatPath } from '../screen/format.ts';
import { asName } from '../screen/one-line.ts';
import { typedRun } from '../typed.ts';
import type { Term } from '../where/parse-where.ts';
import { standardOutput } from './destination.ts';
import type { Destination } from './destination.ts';
import { nameOf, reasonText } from './omissions.ts';
import type { Omissions } from './omissions.ts';
import type { Planned } from './plan-order.ts';
import type { ReadCounts } from './records.ts';

/** What an export did. */
export interface ExportReport {
  readonly run: string;
  readonly dir: string;
  readonly to: string;
  readonly destination: Destination;
  readonly exported: Exported;
  readonly counts: ReadCounts;
  readonly omissions: Omissions;
  /** Variables that the run's config names and that are not set here. */
  readonly unset: readonly string[];
  readonly terms: readonly Term[];
  readonly planned: Planned;
}

/** For a person, on stderr. */
export function reportLines(report: ExportReport): string[] {
  const { run, to, destination, exported, counts, omissions, unset } = report;
  const target = targetOf(destination);
  const unit = exported.unit ?? 'rows';
  return [
    `${target}: ${formatCount(exported.written)} ${unit} of ${formatCounted(counts.episodes, 'episode')} of ${run} for ${to}`,
    ...missingLines(report),
    ...omissionLines(omissions, destination),
    ...maskLines(counts),
    ...unset.map(
      (name) =>
        `${name} is not set here, so its value could not be looked for; --env-file FILE brings it`,
    ),
  ].map(asName);
}

/** A group that lacks attempts has other advantages than the whole one. */
function missingLines({ run, dir, counts, terms, planned }: ExportReport): string[] {
  const { rollouts, isLive } = planned;
  if (terms.length > 0 || rollouts === null || counts.episodes >= rollouts) return [];
  const missing = `${formatCount(rollouts - counts.episodes)} of ${formatCount(rollouts)} rollouts are not there yet`;
  return [isLive ? `${missing}: the run goes on` : `${missing}: vf resume ${typedRun(dir, run)}`];
}

function targetOf({ path, shown }: Destination): string {
  if (path !== null) return formatPath(path);
  return shown === standardOutput ? 'stdout' : shown;
}

function omissionLines(omissions: Omissions, { diagnostics }: Destination): string[] {
  if (omissions.total === 0) return [];
  const place = diagnostics === null ? '' : `, each in ${formatPath(diagnostics)}`;
  return [
    `left out ${formatCount(omissions.total)}${place}`,
    ...omissions.reasons.map(
      ({ count, example }) =>
        `  ${formatCount(count)}  ${reasonText(example)}, as ${nameOf(example)}`,
    ),
  ];
}

function maskLines({ masked, maskedEpisodes, maskedWithTokens }: ReadCounts): string[] {
  if (masked === 0) return [];
  const values = masked === 1 ? 'value of a secret' : 'values of secrets';
  return [
    `masked ${formatCount(masked)} ${values} in ${formatCounted(maskedEpisodes, 'episode')}`,
    ...(maskedWithTokens === 0
      ? []
      : [`  token ids of ${formatCount(maskedWithTokens)} of them still spell what was masked`]),
  ];
}

/** For a program. */
export function reportDocument(report: ExportReport): object {
  const { run, to, destination, exported, counts, omissions, unset, planned } = report;
  const { total, reasons } = omissions;
  return {
    run,
    to,
    path: destination.path,
    episodes: counts.episodes,
    planned: planned.rollouts,
    written: exported.written,
    unit: exported.unit ?? 'rows',
    omitted: { total, reasons, diagnostics: total === 0 ? null : destination.diagnostics },
    masked: {
      values: counts.masked,
      episodes: counts.maskedEpisodes,
      inTokens: counts.maskedWithTokens,
      notSet: unset,
    },
  };
}
