import {
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { RunWriter, readConfigToml, readIndex, readPlan, readSummary } from '../src/index.ts';
import { episodeOf, newRun, outputFolder } from './folder.ts';

describe('create', () => {
  test('writes config and plan as they were given, and points last to the run', async () => {
    const outputDir = outputFolder();
    const dir = join(outputDir, 'sums--m--null', 'k7fq2a');
    const plan = { v: 1, tasks: { a: 'hash' }, nested: { list: [1, 2] } };
    const fields = { dir, runId: 'k7fq2a', name: null, configToml: 'model = "m"\n', plan };
    const writer = await RunWriter.create(fields);
    expect(await readPlan(dir)).toEqual(plan);
    expect(await readConfigToml(dir)).toBe('model = "m"\n');
    expect(await readSummary(dir)).toBeNull();
    expect(readlinkSync(join(outputDir, 'last'))).toBe(join('sums--m--null', 'k7fq2a'));
    await writer.close();
  });

  test('takes more into an object of the plan, and keeps the rest', async () => {
    const dir = join(outputFolder(), 'sums--m--null', 'k7fq2b');
    const plan = { v: 1, images: { a: null, b: 'x' } };
    const fields = { dir, runId: 'k7fq2b', name: null, configToml: '', plan };
    const writer = await RunWriter.create({
      ...fields,
      mask: (text) => text.replace('key', '***'),
    });
    await writer.addToPlan('images', { a: 'key' });
    await writer.addToPlan('more', { c: 1 });
    expect(await readPlan(dir)).toEqual({ v: 1, images: { a: '***', b: 'x' }, more: { c: 1 } });
    await writer.close();
  });

  test('moves last to the newest run, but leaves a folder of that name alone', async () => {
    const outputDir = outputFolder();
    await newRun(outputDir, { name: 'one' });
    await newRun(outputDir, { name: 'two' });
    expect(readlinkSync(join(outputDir, 'last'))).toBe('two');
    const other = outputFolder();
    mkdirSync(join(other, 'last'));
    await newRun(other);
    expect(lstatSync(join(other, 'last')).isDirectory()).toBe(true);
    expect(readdirSync(other).toSorted()).toEqual(['last', 'nightly']);
  });

  test('refuses a folder that is there, and one behind last', async () => {
    const outputDir = outputFolder();
    const writer = await newRun(outputDir);
    await writer.close();
    await expect(newRun(outputDir)).rejects.toMatchObject({ code: 'store/exists' });
    await expect(newRun(outputDir, { name: 'last' })).rejects.toMatchObject({
      code: 'store/exists',
    });
    mkdirSync(join(outputDir, 'mine'));
    writeFileSync(join(outputDir, 'mine', 'notes.txt'), '');
    await expect(newRun(outputDir, { name: 'mine' })).rejects.toMatchObject({
      code: 'store/exists',
    });
    writeFileSync(join(outputDir, 'file'), '');
    await expect(newRun(outputDir, { name: 'file' })).rejects.toMatchObject({
      code: 'store/exists',
    });
  });

  test('uses a folder again that a start left before its plan', async () => {
    const outputDir = outputFolder();
    const dir = join(outputDir, 'nightly');
    mkdirSync(dir);
    for (const name of ['config.toml', 'traces.jsonl', 'plan.json.0a1b2c3d.part'])
      writeFileSync(join(dir, name), '');
    const writer = await newRun(outputDir);
    expect(await readPlan(writer.dir)).toEqual({});
  });

  test.runIf(process.platform === 'linux')(
    'refuses a folder below one that takes none, at once',
    async () => {
      await expect(newRun('/proc/vf/runs')).rejects.toMatchObject({ code: 'store/not_writable' });
      await expect(newRun('/proc/self/vf')).rejects.toMatchObject({ code: 'store/not_writable' });
    },
  );

  test('makes all folders above it, also side by side', async () => {
    const outputDir = join(outputFolder(), 'a', 'b', 'c');
    const names = ['one', 'two', 'three'];
    const dirs = names.map((name) => join(outputDir, name, 'deep', 'run'));
    await Promise.all(dirs.map((dir) => newRun(outputDir, { dir })));
    expect(readdirSync(outputDir).toSorted()).toEqual(expect.arrayContaining(names.toSorted()));
  });

  test('says which folder cannot be written', async () => {
    const outputDir = outputFolder();
    writeFileSync(join(outputDir, 'file'), '');
    const dir = join(outputDir, 'file', 'run');
    await expect(newRun(outputDir, { dir })).rejects.toMatchObject({
      code: 'store/not_writable',
      message: expect.stringContaining(dir) as string,
    });
  });
});

describe('resume', () => {
  test('finds what was there, and goes on after it', async () => {
    const writer = await newRun(outputFolder());
    await writer.append(episodeOf('a'));
    await writer.close();
    const next = await RunWriter.resume(writer.dir);
    expect(next.repairs).toEqual([]);
    const place = await next.append(episodeOf('b'));
    await next.close();
    expect((await readIndex(writer.dir)).map(({ task }) => task)).toEqual(['a', 'b']);
    expect((await readIndex(writer.dir))[1]).toMatchObject(place);
  });

  test('refuses what is not a run, is damaged, or is of a newer vf', async () => {
    const outputDir = outputFolder();
    await expect(RunWriter.resume(outputDir)).rejects.toMatchObject({ code: 'store/not_found' });
    const writer = await newRun(outputDir);
    await writer.close();
    const plan = join(writer.dir, 'plan.json');
    writeFileSync(plan, readFileSync(plan, 'utf8').replace('"version":1', '"version":2'));
    await expect(RunWriter.resume(writer.dir)).rejects.toMatchObject({
      code: 'store/newer_version',
    });
    await expect(readPlan(writer.dir)).rejects.toMatchObject({ code: 'store/newer_version' });
    for (const text of ['', '[]', '{"store":', '{}', '{"store":{"version":1}}']) {
      writeFileSync(plan, text);
      await expect(RunWriter.resume(writer.dir)).rejects.toMatchObject({ code: 'store/damaged' });
    }
    expect(readdirSync(writer.dir)).not.toContain('run.lock');
  });

  test('reads a plan that somebody formatted anew', async () => {
    const writer = await newRun(outputFolder(), { plan: { a: 1 } });
    await writer.close();
    const plan = join(writer.dir, 'plan.json');
    writeFileSync(plan, JSON.stringify(JSON.parse(readFileSync(plan, 'utf8')), null, 4));
    await (await RunWriter.resume(writer.dir)).close();
    expect(await readPlan(writer.dir)).toEqual({ a: 1 });
  });
});

describe('append', () => {
  test('keeps the order of calls, and gives each its place', async () => {
    const writer = await newRun(outputFolder());
    const keys = Array.from({ length: 300 }, (_, at) => `täsk-${at}`);
    const places = await Promise.all(keys.map((key) => writer.append(episodeOf(key))));
    const read = await Promise.all(places.map((place) => writer.read(place)));
    expect(read.map(({ task }) => task.key)).toEqual(keys);
    expect((await readIndex(writer.dir)).map(({ task }) => task)).toEqual(keys);
  });

  test('refuses a trace that cannot be recorded and goes on with the next', async () => {
    const writer = await newRun(outputFolder());
    const broken = episodeOf('broken');
    const [call] = broken.traces[0]?.calls ?? [];
    if (call !== undefined) broken.traces[0]?.calls.push({ ...call, node: 7 });
    await expect(writer.append(broken)).rejects.toMatchObject({ code: 'internal/unexpected' });
    await writer.append(episodeOf('sound'));
    expect((await readIndex(writer.dir)).map(({ task }) => task)).toEqual(['sound']);
  });
});

describe('close', () => {
  test('waits for what was appended, and may be called again', async () => {
    const writer = await newRun(outputFolder());
    const appended = Promise.all(
      Array.from({ length: 50 }, (_, at) => writer.append(episodeOf(`t${at}`))),
    );
    await Promise.all([writer.close(), writer.close()]);
    expect(await appended).toHaveLength(50);
    const index = readFileSync(join(writer.dir, 'traces.index.jsonl'), 'utf8');
    expect(index.split('\n')).toHaveLength(51);
    expect(readdirSync(writer.dir)).not.toContain('run.lock');
  });
});

describe('logs and summary', () => {
  test('a log has its masked lines in its own file, made with the first one', async () => {
    const writer = await newRun(outputFolder(), {
      mask: (text) => text.replaceAll('hunter2', '«KEY»'),
    });
    const log = writer.log('a/../b');
    writer.log('quiet');
    log.info('sent hunter2', { key: 'hunter2', count: 3n });
    log.error('gone');
    await writer.close();
    const logs = join(writer.dir, 'logs');
    expect(readdirSync(logs)).toEqual(['a-..-b.log']);
    const [first, second] = readFileSync(join(logs, 'a-..-b.log'), 'utf8').split('\n');
    expect(first).toMatch(/^\d{4}-\S+Z info sent «KEY» {"key":"«KEY»","count":"3"}$/);
    expect(second).toMatch(/Z error gone$/);
  });

  test('a summary replaces the one before', async () => {
    const writer = await newRun(outputFolder());
    await writer.writeSummary({ v: 1, long: 'x'.repeat(1000) });
    await writer.writeSummary({ v: 1 });
    expect(await readSummary(writer.dir)).toEqual({ v: 1 });
    expect(readdirSync(writer.dir).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

test('a link in place of last is replaced, whatever it points to', async () => {
  const outputDir = outputFolder();
  symlinkSync('nowhere', join(outputDir, 'last'));
  await newRun(outputDir);
  expect(readlinkSync(join(outputDir, 'last'))).toBe('nightly');
});
