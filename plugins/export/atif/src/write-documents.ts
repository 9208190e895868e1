import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportRequest, Exported } from '@vf/core';
import { decodeEpisode } from '@vf/core/trace';
import { omissionOf, written } from '@vf/export-kit';
import type { Config } from './config.ts';
import { trajectoryOf } from './trajectory-of.ts';

/** Writes a folder with a document for each trace: `<task>.<attempt>.<trace id>.json`. */
export function writeDocuments(request: ExportRequest<Config>): Promise<Exported> {
  const { episodes, path, config, signal, omit } = request;
  return written(path, async (folder) => {
    await mkdir(folder);
    let count = 0;
    for await (const record of episodes) {
      const episode = decodeEpisode(record);
      if (episode.traces.length === 0)
        omit(omissionOf(episode, null, { reason: 'it has no trace' }));
      for (const trace of episode.traces) {
        signal.throwIfAborted();
        const document = trajectoryOf(episode, trace, config);
        if (document === null) {
          omit(omissionOf(episode, trace, { reason: 'nothing was said in it' }));
          continue;
        }
        const name = [episode.task.key, episode.attempt, trace.id].map(fileName).join('.');
        await writeFile(join(folder, `${name}.json`), `${JSON.stringify(document, null, 2)}\n`, {
          flag: 'wx',
        });
        count++;
      }
    }
    signal.throwIfAborted();
    return { written: count, unit: 'trajectories' };
  });
}

const longestPart = 80;

function fileName(part: string | number): string {
  return String(part)
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, longestPart);
}
