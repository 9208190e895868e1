import { existsSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeEpisode } from '@vf/testkit';
import { RunWriter } from '../../src/index.ts';

// Journals the episodes `open` and `stored`, appends `stored`, says so and waits to be killed.
// usage: journal DIR

const [dir = ''] = process.argv.slice(2);
const writer = await RunWriter.create({
  dir,
  runId: 'k7fq2a',
  name: 'run',
  configToml: '',
  plan: {},
});
const [open, stored] = ['open', 'stored'].map((id) =>
  makeEpisode({ id: `rollout-${id}`, task: { key: id }, fields: { id } }),
);
for (const episode of [open, stored]) {
  const [trace] = episode?.traces ?? [];
  if (episode === undefined || trace === undefined) throw new Error('no trace');
  writer.journal(trace, { episode: episode.id, attempt: 1 });
  writer.journalCall(trace);
}
const journal = join(dir, 'journal');
const isFlushed = (): boolean =>
  existsSync(journal) &&
  readdirSync(journal).some((name) => statSync(join(journal, name)).size > 0);
while (!isFlushed()) await new Promise((resolve) => setTimeout(resolve, 5));
if (stored !== undefined) await writer.append(stored);
writeSync(1, 'ready\n');
setInterval(() => undefined, 1000);
