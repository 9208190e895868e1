import { mkdtempSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  Store,
  StoreCheck,
  StoreFixture,
  StoreSuiteOptions,
  StoreWriter,
} from './contract.ts';

/** Runs one check on a store and takes away what it made, whatever came of it. */
export async function runStoreCheck(
  check: StoreCheck,
  store: Store,
  options: StoreSuiteOptions,
): Promise<void> {
  const top = mkdtempSync(join(tmpdir(), 'vf-store-suite-'));
  const writers: StoreWriter[] = [];
  try {
    await check.run(fixtureIn(top, store, options, writers));
  } finally {
    await Promise.allSettled(writers.map((writer) => writer.close()));
    await rm(top, { recursive: true, force: true });
  }
}

function fixtureIn(
  top: string,
  store: Store,
  { module, journalMs = 10_000 }: StoreSuiteOptions,
  writers: StoreWriter[],
): StoreFixture {
  let count = 0;
  const newFolder = (): string => join(top, String(count++), 'run');
  const kept = (writer: StoreWriter): StoreWriter => {
    writers.push(writer);
    return writer;
  };
  return {
    store,
    module,
    journalMs,
    newFolder,
    start: async (plan = {}) => {
      const dir = newFolder();
      const run = { dir, runId: 'k7fq2a', name: 'run', configToml: '', plan };
      return { dir, writer: kept(await store.create(run)) };
    },
    resume: async (dir) => kept(await store.resume(dir)),
    copyOf: async (dir) => {
      const copy = newFolder();
      await cp(dir, copy, { recursive: true });
      return copy;
    },
  };
}
