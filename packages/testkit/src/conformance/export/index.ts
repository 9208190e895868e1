import { readdir } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { EpisodeRecord, Export } from '@vf/core';
import { describe, expect, test } from 'vitest';
import { largeEpisode, sampleEpisodes } from './samples.ts';
import { bytesBelow, runExport, scratchFolder, sourceOf } from './stage.ts';

export interface ExportSuiteOptions<Config> {
  readonly exporter: Export<Config>;
  /** Its options, parsed. */
  readonly config: Config;
  /** Ids of the traces among the samples that it leaves out; null: the episode without a trace. */
  readonly omits: readonly (string | null)[];
}

/** Records that may be alive at once while an exporter streams: those of a batch, never those of the run. */
const mostAlive = 60;

/** The contract of an export in executable form: whole or not there, streamed, the same each time, nothing silent. */
export function describeExport<Config>(options: ExportSuiteOptions<Config>): void {
  const samples = sampleEpisodes();
  const all = () => sourceOf(samples.length, (index) => samples[index] ?? {});

  describe(`export ${options.exporter.id}`, () => {
    test('writes at its path and nowhere else', async () => {
      const { beside, exported } = await runExport(options, await scratchFolder(), all());
      expect(beside).toEqual(['out']);
      expect(exported.written).toBeGreaterThan(0);
    });

    test('names what it leaves out, with a reason', async () => {
      const { omissions } = await runExport(options, await scratchFolder(), all());
      expect(omissions.map(({ trace = null }) => trace)).toEqual(options.omits);
      for (const { reason, episode, task } of omissions) {
        expect(reason).not.toBe('');
        expect(samples.map(({ id }) => id)).toContain(episode);
        expect(task).not.toBe('');
      }
    });

    test('writes the same bytes for the same episodes', async () => {
      const first = await runExport(options, await scratchFolder(), all());
      const second = await runExport(options, await scratchFolder(), all());
      expect(await bytesBelow(second.path)).toEqual(await bytesBelow(first.path));
    });

    test('writes an empty run', async () => {
      const { exported, beside } = await runExport(
        options,
        await scratchFolder(),
        sourceOf(0, () => ({})),
      );
      expect(exported.written).toBe(0);
      expect(beside).toEqual(['out']);
    });

    test('leaves nothing behind when a record cannot be read', async () => {
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
    });

    test('leaves nothing behind when it is stopped, and closes its source', async () => {
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
      await expect(runExport(options, folder, source, stop.signal)).rejects.toThrow(
        'stopped by the user',
      );
      expect(await readdir(folder)).toEqual([]);
      expect(source.isClosed()).toBe(true);
    });

    test('holds few episodes at once', async () => {
      const collect = garbageCollector();
      const given: WeakRef<EpisodeRecord>[] = [];
      let most = 0;
      const source = sourceOf(
        240,
        (index) => {
          const record = largeEpisode(index);
          given.push(new WeakRef(record));
          return record;
        },
        (index) => {
          if (index % 60 !== 59) return;
          collect();
          most = Math.max(most, given.filter((record) => record.deref() !== undefined).length);
        },
      );
      const { exported } = await runExport(options, await scratchFolder(), source);
      expect(exported.written).toBe(240);
      expect(most).toBeLessThan(mostAlive);
    });
  });
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
