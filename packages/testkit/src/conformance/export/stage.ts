import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EpisodeRecord, Export, Exported, Omission } from '@vf/core';
import { onTestFinished } from 'vitest';

/** What an exporter did with a source of episodes. */
export interface Outcome {
  readonly exported: Exported;
  readonly omissions: readonly Omission[];
  readonly path: string;
  /** Names in the folder that `path` lies in. */
  readonly beside: readonly string[];
}

export interface Source {
  readonly episodes: AsyncIterable<EpisodeRecord>;
  /** Was the source ended, or closed early? */
  readonly isClosed: () => boolean;
}

/** Gives the records one at a time. @param at called before each record is given; what it throws fails the source */
export function sourceOf(
  count: number,
  recordAt: (index: number) => EpisodeRecord,
  at: (index: number) => void = () => undefined,
): Source {
  let isClosed = false;
  async function* episodes(): AsyncGenerator<EpisodeRecord, void> {
    try {
      for (let index = 0; index < count; index++) {
        at(index);
        yield recordAt(index);
        // What an exporter does between two episodes may take a turn of the event loop.
        await new Promise((done) => setImmediate(done));
      }
    } finally {
      isClosed = true;
    }
  }
  return { episodes: episodes(), isClosed: () => isClosed };
}

/** A folder of the test's own, removed after it. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vf-export-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs an exporter into `folder`. */
export async function runExport<Config>(
  { exporter, config }: { readonly exporter: Export<Config>; readonly config: Config },
  folder: string,
  source: Source,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const omissions: Omission[] = [];
  const path = join(folder, 'out');
  const omit = (omission: Omission): void => void omissions.push(omission);
  const exported = await exporter.write({ episodes: source.episodes, path, config, signal, omit });
  return { exported, omissions, path, beside: await readdir(folder) };
}

/** Every file below a path with its bytes, by name. */
export async function bytesBelow(path: string): Promise<Record<string, string>> {
  if (!(await stat(path)).isDirectory()) return { '': await hexOf(path) };
  const names = await readdir(path, { recursive: true });
  const files: Record<string, string> = {};
  for (const name of names.toSorted()) {
    const file = join(path, name);
    if ((await stat(file)).isFile()) files[name] = await hexOf(file);
  }
  return files;
}

async function hexOf(file: string): Promise<string> {
  return (await readFile(file)).toString('hex');
}
