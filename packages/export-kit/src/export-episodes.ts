import type { Episode, EpisodeRecord, Export, Exported, Omission } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { encodeEpisode } from '@vf/core/trace';
import { exportError } from './export-error.ts';
import { written } from './files/whole-file.ts';

export interface ExportTarget {
  /** A file, or for some exports a new folder. */
  readonly path: string;
  /** Options of the export, as its config names them. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

export interface EpisodesExported extends Exported {
  /** What is not in it, and why. */
  readonly omitted: readonly Omission[];
}

/**
 * Writes episodes in the form of an export plugin, as `vf export` does with those of a run. `path` is there whole at the
 * end, or as it was before.
 * @throws VfError config/invalid for options that do not fit
 * @throws VfError store/not_exportable with names and reasons, when every one of them was left out
 * @throws VfError store/not_writable, store/disk_full; plugin/failed for what the plugin or `episodes` threw
 * @throws the signal's reason once it aborts
 */
export async function exportEpisodes(
  exporter: Export,
  episodes: Iterable<Episode> | AsyncIterable<Episode>,
  target: ExportTarget,
): Promise<EpisodesExported> {
  const config = configOf(exporter, target.config ?? {});
  const { signal = new AbortController().signal } = target;
  const omitted: Omission[] = [];
  const omit = (omission: Omission): void => void omitted.push(omission);
  try {
    return await written(target.path, async (path) => {
      const records = recordsOf(episodes);
      const exported = await exporter.write({ episodes: records, path, config, signal, omit });
      if (exported.written === 0 && omitted.length > 0) throw nothingLeft(exporter.id, omitted);
      return { ...exported, omitted };
    });
  } catch (error) {
    signal.throwIfAborted();
    throw exportError(error, exporter.id, target.path);
  }
}

type Options = Readonly<Record<string, unknown>>;

function configOf(exporter: Export, given: Options): Options {
  const parsed = exporter.config?.safeParse(given);
  if (parsed === undefined) return given;
  if (parsed.success) return parsed.data as Options;
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.'),
    message,
  }));
  throw new VfError('config/invalid', `options of export ${exporter.id}`, { problems });
}

async function* recordsOf(
  episodes: Iterable<Episode> | AsyncIterable<Episode>,
): AsyncGenerator<EpisodeRecord, void> {
  for await (const episode of episodes) yield encodeEpisode(episode);
}

function nothingLeft(id: string, omitted: readonly Omission[]): VfError {
  const reasons = [...new Set(omitted.map(({ reason }) => reason))].join('; ');
  return new VfError('store/not_exportable', `nothing can be written for ${id} (${reasons})`, {
    problems: omitted.map(({ task, attempt, reason, detail }) => ({
      path: `${task}:${attempt}`,
      message: detail === undefined ? reason : `${reason} (${detail})`,
    })),
    hint: 'each is named with what it lacks; another form may need less',
  });
}
