import { writeFile, rm } from 'node:fs/promises';
import type { EpisodeRecord, Export, ExportRequest } from '@vf/core';
import { decodeEpisode } from '@vf/core/trace';
import { describe, expect, test } from 'vitest';
import { exportChecks } from '../../src/conformance/export/checks.ts';

/** A sound export of one line for each trace. */
async function names({
  episodes,
  path,
  signal,
  omit,
}: ExportRequest): Promise<{ written: number }> {
  const lines: string[] = [];
  for await (const record of episodes) {
    signal.throwIfAborted();
    const { id, task, attempt, traces } = decodeEpisode(record);
    if (traces.length === 0) omit({ episode: id, task: task.key, attempt, reason: 'no trace' });
    lines.push(...traces.map((trace) => trace.id));
  }
  signal.throwIfAborted();
  await writeFile(path, lines.join('\n'));
  return { written: lines.length };
}

const exported = (write: Export['write']): Export => ({
  kind: 'export',
  specVersion: 1,
  id: 'names',
  write,
});

/** Names of the checks that an export fails. */
async function failures(write: Export['write']): Promise<string[]> {
  const options = { exporter: exported(write), config: {}, omits: [null] };
  const failed: string[] = [];
  for (const { name, run } of exportChecks) {
    await run(options).catch(() => failed.push(name));
  }
  return failed;
}

test('a sound export passes', async () => {
  expect(await failures(names)).toEqual([]);
});

let runs = 0;
const flaws: Readonly<
  Record<string, { readonly write: Export['write']; readonly fails: string[] }>
> = {
  'a draft beside the export': {
    write: async (request) => {
      await writeFile(`${request.path}.draft`, '');
      return names(request);
    },
    fails: [
      'writes at its path and nowhere else',
      'writes an empty run',
      'leaves nothing behind when a record cannot be read',
      'leaves nothing behind when it is stopped, and closes its source',
    ],
  },
  'half a file': {
    write: async (request) => {
      await writeFile(request.path, 'half');
      return names(request);
    },
    fails: [
      'leaves nothing behind when a record cannot be read',
      'leaves nothing behind when it is stopped, and closes its source',
    ],
  },
  'a silent omission': {
    write: (request) => names({ ...request, omit: () => undefined }),
    fails: ['names what it leaves out, with a reason'],
  },
  'a date in the file': {
    write: async (request) => {
      const result = await names(request);
      await writeFile(request.path, String(runs++));
      return result;
    },
    fails: ['writes the same bytes for the same episodes'],
  },
  'nothing for an empty run': {
    write: async (request) => {
      const result = await names(request);
      if (result.written === 0) await rm(request.path);
      return result;
    },
    fails: ['writes an empty run'],
  },
  'a stop that is not heard': {
    write: (request) => names({ ...request, signal: new AbortController().signal }),
    fails: ['leaves nothing behind when it is stopped, and closes its source'],
  },
  'all episodes in memory': {
    write: async (request) => {
      const all: EpisodeRecord[] = [];
      for await (const record of request.episodes) {
        request.signal.throwIfAborted();
        all.push(record);
      }
      return names({ ...request, episodes: each(all) });
    },
    fails: ['holds few episodes at once'],
  },
};

async function* each<T>(items: readonly T[]): AsyncGenerator<T, void> {
  for (const item of items) yield await Promise.resolve(item);
}

describe('the suite finds', () => {
  test.each(Object.entries(flaws))('%s', async (_name, { write, fails }) => {
    expect(await failures(write)).toEqual(fails);
  });
});
