import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RunWriter } from '../src/index.ts';
import { unknownStart } from '../src/lock/process-start.ts';
import { Child } from './child.ts';
import { episodeOf, newRun, outputFolder } from './folder.ts';

/** A closed run with an episode and a summary. */
async function runFolder(): Promise<string> {
  const writer = await newRun(outputFolder());
  await writer.append(episodeOf('a'));
  await writer.writeSummary({ figures: 1 });
  await writer.close();
  return writer.dir;
}

const parts = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.part'));

/** The name of the part that was on disk when the process ended, and what is there after it. */
async function endedWith(how: 'exit' | 'kill', dir: string) {
  const child = new Child(new URL('./children/summary.ts', import.meta.url), [dir, how]);
  await child.ended();
  return { during: child.lines, after: parts(dir) };
}

const ofSummary = /^summary\.json\.[\da-f]{8}\.part$/;

test('a process that leaves while it writes a summary takes the part with it', async () => {
  const dir = await runFolder();
  const { during, after } = await endedWith('exit', dir);
  expect(during).toEqual([expect.stringMatching(ofSummary)]);
  expect(after).toEqual([]);
  expect(readFileSync(join(dir, 'summary.json'), 'utf8')).toContain('"figures": 1');
});

test('what one that is killed leaves, the next resume removes', async () => {
  const dir = await runFolder();
  const { during, after } = await endedWith('kill', dir);
  expect(after).toEqual(during);
  await (await RunWriter.resume(dir)).close();
  expect(parts(dir)).toEqual([]);
});

test('a resume removes the parts of every file of the run, and no other file', async () => {
  const dir = await runFolder();
  mkdirSync(join(dir, 'journal'), { recursive: true });
  mkdirSync(join(dir, 'artifacts'));
  const left = ['config.toml', 'plan.json', 'summary.json', 'journal/1-2-0.jsonl'];
  for (const name of left) writeFileSync(join(dir, `${name}.0a1b2c3d.part`), 'half');
  const others = [
    'artifacts/movie.0a1b2c3d.part',
    'junit.xml.deadbeef.part',
    'journal/notes.0a1b2c3d.part',
    'notes.part',
    'old-summary.json.0a1b2c3d.part',
    'x.deadbeef.part',
  ];
  for (const name of others) writeFileSync(join(dir, name), 'of somebody');
  await (await RunWriter.resume(dir)).close();
  expect(parts(dir).toSorted()).toEqual(others.toSorted());
});

test('a folder that is named like a part is left alone', async () => {
  const dir = await runFolder();
  const folders = ['journal/1-2-0.jsonl.0a1b2c3d.part', 'plan.json.0a1b2c3d.part'];
  for (const name of folders) mkdirSync(join(dir, name), { recursive: true });
  await (await RunWriter.resume(dir)).close();
  expect(parts(dir).toSorted()).toEqual(folders);
});

test('parts of a lock go with the process that made them, and stay for one that may live', async () => {
  const dir = await runFolder();
  const part = (token: string, pid: number, host = hostname()): string => {
    const name = `run.lock.${token}.part`;
    writeFileSync(join(dir, name), JSON.stringify({ host, pid, started: unknownStart, token }));
    return name;
  };
  part('dead', 2 ** 22 + 1);
  const kept = [part('alive', process.pid), part('elsewhere', 1, 'another-host')];
  writeFileSync(join(dir, 'run.lock.begun.part'), '');
  mkdirSync(join(dir, 'run.lock.folder.part'));
  await (await RunWriter.resume(dir)).close();
  expect(parts(dir).toSorted()).toEqual(
    ['run.lock.begun.part', 'run.lock.folder.part', ...kept].toSorted(),
  );
});
