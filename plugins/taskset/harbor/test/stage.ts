import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Hook, Log } from '@vf/core';
import { makeTrace } from '@vf/testkit';
import { onTestFinished } from 'vitest';
import { configSchema } from '../src/config.ts';
import { digestOf } from '../src/folder/digest.ts';
import { readTask } from '../src/folder/read-task.ts';
import { newPlay } from '../src/play/play.ts';
import type { Ctx } from '../src/play/play.ts';
import { rowOf } from '../src/row.ts';
import { ScriptedBox } from './scripted-box.ts';

export const fixtures = resolve(import.meta.dirname, '../fixtures');

/** A fixture task with some of its files replaced; gone after the test. */
export async function changed(
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'vf-harbor-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await cp(join(fixtures, name), dir, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
  return dir;
}

export interface Around {
  readonly box: ScriptedBox;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly second?: ScriptedBox;
}

type Opened = Parameters<Hook<object, object, object>['openBox']>[0];

/** A rollout of a task at its beginning, and what it notes and opens. */
export async function playOf(dir: string, { box, second, secrets = {} }: Around) {
  const read = await readTask(dir);
  if ('refused' in read) throw new Error(JSON.stringify(read.refused));
  const config = configSchema.parse({});
  const row = rowOf('t', read.task, await digestOf(dir), config);
  const warnings: string[] = [];
  const opened: Opened[] = [];
  const kept: string[] = [];
  const note = (message: string) => void warnings.push(message);
  const log: Log = { debug: note, info: note, warn: note, error: note };
  const ctx: Ctx = {
    task: { ...row, key: 't' },
    config,
    state: newPlay(),
    runtime: box,
    trace: makeTrace(),
    signal: new AbortController().signal,
    log,
    openBox: async (spec) => {
      opened.push(spec);
      if (second === undefined) throw new Error('no second box');
      return second;
    },
    keep: async (artifacts, from = box) => {
      for (const artifact of artifacts) {
        const { source, destination = source } =
          typeof artifact === 'string' ? { source: artifact } : artifact;
        kept.push(`${from === second ? 'second' : 'own'}: ${source} at ${destination}`);
      }
    },
    setNetwork: (policy) => box.setNetwork(policy),
    secret: (name) => secrets[name],
    sideModel: ({ name }) => {
      throw new Error(`nobody declared ${name}`);
    },
  };
  return { ctx, warnings, opened, kept };
}

/** A box in which the tests leave these reward files, one after the other. */
export function graded(...rewards: readonly Readonly<Record<string, string>>[]): ScriptedBox {
  let run = 0;
  return new ScriptedBox(({ command }, box) => {
    if (!command.startsWith('(/tests/test.sh)')) return {};
    for (const [name, content] of Object.entries(rewards[run++] ?? {}))
      box.files.set(`/logs/verifier/${name}`, content);
    return { exitCode: 1 };
  });
}
