import { readFile, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { spentBy } from './program.ts';
import type { Rewards, Job } from './peer.ts';
import type { Spent } from './program.ts';

const bench = resolve(import.meta.dirname, '../..');
const bin = resolve(bench, '../apps/eval/bin/vf.js');

/** Plays tasks with the oracle, from the source. `temporary`: the folder for its temporary files. */
export function runVf(
  { path, trials, atOnce, out }: Omit<Job, 'program'>,
  temporary?: string,
): Promise<Spent> {
  const options = ['-r', String(trials), '-c', String(atOnce), '-o', out, '--run', 'job'];
  const words = ['eval', 'harbor', '--taskset.path', path, '--harness', 'oracle', ...options];
  const argv = [process.execPath, '--conditions=@vf/source', bin, ...words, '-y', '-q'];
  // Plugins are found from here.
  return spentBy(
    argv,
    bench,
    temporary === undefined ? process.env : { ...process.env, TMPDIR: temporary },
  );
}

interface EpisodeRecord {
  readonly task: { readonly data: { readonly name: string } };
  readonly traces: readonly {
    readonly errors?: readonly { readonly message: string }[];
    readonly info: { readonly harbor?: { readonly rewards: Readonly<Record<string, number>> } };
  }[];
}

async function records(out: string): Promise<EpisodeRecord[]> {
  const files = await readdir(out, { recursive: true });
  const traces = files.find((file) => file.endsWith('traces.jsonl'));
  if (traces === undefined) throw new Error(`no traces below ${out}`);
  const lines = (await readFile(join(out, traces), 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as EpisodeRecord);
}

export async function vfRewards(out: string): Promise<Rewards> {
  return Object.fromEntries(
    (await records(out)).map(({ task, traces }) => [
      task.data.name,
      traces[0]?.info.harbor?.rewards ?? {},
    ]),
  );
}

/** What went wrong in any rollout of a run. */
export async function vfErrors(out: string): Promise<string[]> {
  return (await records(out)).flatMap(({ traces }) =>
    traces.flatMap(({ errors = [] }) => errors.map(({ message }) => message)),
  );
}
