import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { StoreCheck, StoreFixture } from './contract.ts';
import { namesOf, turnsInJournal } from './what-is-stored.ts';

const rounds = 6;

// Journals one rollout that never ends, waits until it can be read, then appends without end. Says what is done.
const victim = `
import { writeSync } from 'node:fs';
const [module, kit, dir, round, journalMs] = JSON.parse(process.argv[1]);
const [{ default: store }, { makeEpisode }] = await Promise.all([import(module), import(kit)]);
const run = { dir, runId: 'k7fq2a', name: 'run', configToml: '', plan: {} };
const writer = round === 0 ? await store.create(run) : await store.resume(dir);
const episodeOf = (id, size) => makeEpisode({
  id: 'rollout-' + id,
  task: { key: id },
  turns: [{ prompt: [{ role: 'user', content: 'go' }], reply: { role: 'assistant', content: 'x'.repeat(size) } }],
  fields: { id },
});
const open = 'open-' + round;
const [trace] = episodeOf(open, 10).traces;
writer.journal(trace, { episode: open, attempt: 1 });
writer.journalCall(trace);
const isJournaled = async () => {
  for await (const { episode } of store.readJournals(dir)) if (episode === open) return true;
  return false;
};
for (const start = Date.now(); !(await isJournaled()); ) {
  if (Date.now() - start > journalMs) process.exit(1);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
writeSync(1, open + '\\n');
const next = async (lane) => {
  for (let at = 0; ; at++) {
    const { episode } = await writer.append(episodeOf(['done', round, lane, at].join('-'), [10, 5000, 300000][at % 3]));
    writeSync(1, episode + '\\n');
  }
};
await Promise.all([0, 1, 2, 3].map(next));
`;

/** Processes that are killed while they write. */
export const kills: readonly StoreCheck[] = [
  {
    name: 'a run whose process is killed again and again loses nothing and locks nobody out',
    run: async (at) => {
      const { store, newFolder, resume } = at;
      const dir = newFolder();
      const done: string[] = [];
      const open: string[] = [];
      for (let round = 0; round < rounds; round++) {
        for (const line of await killedWriter(at, dir, round))
          (line.startsWith('open') ? open : done).push(line);
        const entries = await store.readIndex(dir);
        const ids = entries.map(({ episode }) => episode);
        expect(ids).toEqual(expect.arrayContaining(done));
        expect(new Set(ids).size).toBe(ids.length);
        expect(Object.keys(await turnsInJournal(store, dir))).toEqual(expect.arrayContaining(open));
        expect(await store.isLive(dir)).toBe(false);
        const writer = await resume(dir);
        expect(namesOf(await store.readIndex(dir))).toEqual(namesOf(entries));
        await writer.close();
        expect(Object.keys(await turnsInJournal(store, dir))).toEqual(expect.arrayContaining(open));
      }
      expect(open).toHaveLength(rounds);
    },
  },
];

/** What a writer said before it was killed, some time after its first episode. */
async function killedWriter(
  { module, journalMs }: StoreFixture,
  dir: string,
  round: number,
): Promise<string[]> {
  const kit = createRequire(import.meta.url).resolve('@vf/testkit');
  const input = JSON.stringify([module.href, kit, dir, round, journalMs]);
  const args = ['--conditions=@vf/source', '--no-warnings', '--input-type=module', '-e', victim];
  const child = spawn(process.execPath, [...args, input], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const lines: string[] = [];
  const { promise: isWriting, resolve: sayWriting } = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (lines.length > 1) sayWriting();
  });
  try {
    await Promise.race([
      isWriting,
      closed.then(() => Promise.reject(new Error('the writer ended by itself'))),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 7 * round));
  } finally {
    child.kill('SIGKILL');
    await closed;
  }
  return lines;
}
