import { existsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { makeEpisode } from '@vf/testkit';
import { RunWriter } from '../../src/index.ts';

// Appends episodes with large replies, six at a time, and prints the id of each one that was acknowledged.
// usage: append DIR FIRST COUNT CHARACTERS

const [dir = '', first = '0', count = '0', size = '0'] = process.argv.slice(2);
const writer = existsSync(join(dir, 'plan.json'))
  ? await RunWriter.resume(dir)
  : await RunWriter.create({ dir, runId: 'k7fq2a', name: 'run', configToml: '', plan: {} });
const end = Number(first) + Number(count);
const reply = { role: 'assistant', content: 'x'.repeat(Number(size)) } as const;

async function append(number: number): Promise<void> {
  const episode = makeEpisode({
    id: `rollout-${number}`,
    task: { key: `task-${number}` },
    turns: [{ prompt: [{ role: 'user', content: 'go' }], reply }],
  });
  const [trace] = episode.traces;
  if (trace === undefined) throw new Error('made episodes have a trace');
  writer.journal(trace, { episode: episode.id, attempt: 1 });
  writer.journalCall(trace);
  await writer.append(episode);
  writeSync(1, `${episode.id}\n`);
}

let next = Number(first);
const workers = Array.from({ length: 6 }, async () => {
  while (next < end) await append(next++);
});
try {
  await Promise.all(workers);
} catch (error) {
  writeSync(1, `${VfError.isInstance(error) ? error.code : String(error)}\n`);
  process.exitCode = 4;
}
await writer.close();
