import { readdir } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EpisodeRecord, Export } from '@vf/core';
import { expect } from 'vitest';
import { largeEpisode, sampleEpisodes } from './samples.ts';
import { bytesBelow, runExport, scratchFolder, sourceOf } from './stage.ts';
import type { Source } from './stage.ts';

export interface ExportSuiteOptions<Config> {
  readonly exporter: Export<Config>;
  /** Its options, parsed. */
  readonly config: Config;
  /** Ids of the traces among the samples that it leaves out; null: the episode without a trace. */
  readonly omits: readonly (string | null)[];
}

/** One thing that is asked of an export; it throws where that does not hold. */
export interface ExportCheck {
  readonly name: string;
  readonly run: <Config>(options: ExportSuiteOptions<Config>) => Promise<void>;
}

/** Records that may be alive at once while an exporter streams: those of a batch, never those of the run. */
const mostAlive = 60;
const streamed = 240;

const samples = sampleEpisodes();

function allSamples(): Source {
  return sourceOf(samples.length, (index) => samples[index] ?? {});
}

/** All that is asked of an export. */
export const exportChecks: readonly ExportCheck[] = [
  {
    name: 'writes at its path and nowhere else',
    run: async (options) => {
      const { beside, exported } = await runExport(options, await scratchFolder(), allSamples());
      expect(beside).toEqual(['out']);
      expect(exported.written).toBeGreaterThan(0);
    },
  },
  {
    name: 'names what it leaves out, with a reason',
    run: async (options) => {
      const { omissions } = await runExport(options, await scratchFolder(), allSamples());
      expect(omissions.map(({ trace = null }) => trace)).toEqual(options.omits);
      for (const { reason, episode, task } of omissions) {
        expect(reason).not.toBe('');
        expect(samples.map(({ id }) => id)).toContain(episode);
        expect(task).not.toBe('');
      }
    },
  },
  {
    name: 'writes the same bytes for the same episodes',
    run: async (options) => {
      const first = await runExport(options, await scratchFolder(), allSamples());
      const second = await runExport(options, await scratchFolder(), allSamples());
      expect(await bytesBelow(second.path)).toEqual(await bytesBelow(first.path));
    },
  },
  {
    name: 'writes an empty run',
    run: async (options) => {
      const none = sourceOf(0, () => ({}));
      const { exported, beside } = await runExport(options, await scratchFolder(), none);
      expect(exported.written).toBe(0);
      expect(beside).toEqual(['out']);
    },
  },
  {
    name: 'leaves nothing behind when a record cannot be read',
    run: async (options) => {
      const folder = await scratchFolder();
      const source = sourceOf(
        samples.length,
        (index) => samples[index] ?? {},
        (index) => {
          if (index === 3) throw new Error('the disk of the run is gone');
        },
      );
      await expect(runExport(options, folder, source)).rejects.toThrow('disk of the run');
      expect(await readdir(folder)).toEqual([]);
    },
  },
  {
    name: 'leaves nothing behind when it is stopped, and closes its source',
    run: async (options) => {
      const folder = await scratchFolder();
      const stop = new AbortController();
      const source = sourceOf(
        1000,
        (index) => samples[index % samples.length] ?? {},
        (index) => {
          if (index === 5) stop.abort(new Error('stopped by the user'));
          if (index > 200) throw new Error('it went on and on');
        },
      );
      const stopped = runExport(options, folder, source, stop.signal);
      await expect(stopped).rejects.toThrow('stopped by the user');
      expect(await readdir(folder)).toEqual([]);
      expect(source.isClosed()).toBe(true);
    },
  },
  {
    name: 'holds few episodes at once',
    run: async (options) => {
      const collect = garbageCollector();
      const given: WeakRef<EpisodeRecord>[] = [];
      let most = 0;
      const source = sourceOf(
        streamed,
        (index) => {
          const record = largeEpisode(index);
          given.push(new WeakRef(record));
          return record;
        },
        (index) => {
          if (index % mostAlive !== mostAlive - 1) return;
          collect();
          most = Math.max(most, given.filter((record) => record.deref() !== undefined).length);
        },
      );
      const { exported } = await runExport(options, await scratchFolder(), source);
      expect(exported.written).toBe(streamed);
      expect(most).toBeLessThan(mostAlive);
    },
  },
];

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
