import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRun, listRuns } from '../src/index.ts';
import { Child } from './child.ts';
import { episodeOf, newRun, outputFolder } from './folder.ts';

/** An output folder with a named run and two without a name, closed, oldest first. */
async function threeRuns(): Promise<{ outputDir: string; dirs: readonly string[] }> {
  const outputDir = outputFolder();
  const dirs: string[] = [];
  const places = [
    ['nightly', 'zzzzzz', join(outputDir, 'nightly')],
    [null, 'k7fq2a', join(outputDir, 'sums--m--null', 'k7fq2a')],
    [null, 'k7m2xd', join(outputDir, 'sums--m--null', 'k7m2xd')],
  ] as const;
  for (const [name, runId, dir] of places) {
    const writer = await newRun(outputDir, { name, runId, dir });
    await writer.close();
    dirs.push(dir);
  }
  return { outputDir, dirs };
}

describe('findRun', () => {
  test('takes a folder, a name, a run id, its unique start, and last', async () => {
    const { outputDir, dirs } = await threeRuns();
    const [nightly = '', first = '', second = ''] = dirs;
    for (const [ref, dir] of [
      [nightly, nightly],
      [relative(process.cwd(), first), first],
      [join('sums--m--null', 'k7fq2a'), first],
      ['nightly', nightly],
      ['zzzzzz', nightly],
      ['k7fq2a', first],
      ['k7m', second],
      ['last', second],
    ] as const) {
      expect(await findRun(outputDir, ref)).toBe(dir);
    }
  });

  test('finds the newest run when last is gone or points nowhere', async () => {
    const { outputDir, dirs } = await threeRuns();
    rmSync(join(outputDir, 'last'));
    expect(await findRun(outputDir, 'last')).toBe(dirs[2]);
    writeFileSync(join(outputDir, 'last'), 'nightly\n');
    expect(await findRun(outputDir, 'last')).toBe(dirs[0]);
    rmSync(join(outputDir, 'nightly'), { recursive: true });
    expect(await findRun(outputDir, 'last')).toBe(dirs[2]);
  });

  test('names what is close, and the runs that a short start could mean', async () => {
    const { outputDir } = await threeRuns();
    await expect(findRun(outputDir, 'nigthly')).rejects.toMatchObject({
      code: 'usage/not_found',
      problems: [{ nearest: 'nightly' }],
      message: `no run "nigthly" in ${outputDir}; nearest: nightly`,
      hint: expect.stringMatching(/^type nightly; .*--output-dir DIR, or VF_OUTPUT_DIR,/),
    });
    await expect(findRun(outputDir, 'k7')).rejects.toMatchObject({
      code: 'usage/not_found',
      problems: [{ message: 'k7m2xd' }, { message: 'k7fq2a' }],
    });
    await expect(findRun(outputDir, '')).rejects.toMatchObject({ code: 'usage/not_found' });
    for (const ref of ['last', 'k7']) {
      await expect(findRun(join(outputDir, 'none'), ref)).rejects.toMatchObject({
        code: 'usage/not_found',
      });
    }
  });
});

describe('listRuns', () => {
  test('has the newest first, with what the summary says', async () => {
    const { outputDir, dirs } = await threeRuns();
    const figures = { rollouts: 8, scored: 7, unscored: 1, reward: { mean: 0.5 } };
    const summary = { v: 1, status: 'incomplete', planned: { rollouts: 10 }, figures };
    writeFileSync(join(dirs[1] ?? '', 'summary.json'), JSON.stringify(summary));
    const runs = await listRuns(outputDir);
    expect(runs.map(({ id, name, dir }) => [id, name, dir])).toEqual([
      ['k7m2xd', null, dirs[2]],
      ['k7fq2a', null, dirs[1]],
      ['zzzzzz', 'nightly', dirs[0]],
    ]);
    expect(runs[1]).toMatchObject({
      status: 'incomplete',
      counts: { done: 8, planned: 10, scored: 7, unscored: 1, reward: 0.5 },
    });
  });

  test('tells a running run from a killed one, and counts their episodes', async () => {
    const outputDir = outputFolder();
    const writer = await newRun(outputDir);
    await writer.append(episodeOf('a'));
    const running = { status: 'running', counts: { done: 1, planned: null, reward: null } };
    await expect.poll(() => listRuns(outputDir)).toMatchObject([running]);
    await writer.close();
    expect(await listRuns(outputDir)).toMatchObject([{ status: 'killed', counts: { done: 1 } }]);
  });

  test.skipIf(process.platform === 'win32')(
    'calls no run killed while no more files can be opened',
    async () => {
      const outputDir = outputFolder();
      await newRun(outputDir);
      const program = new URL('./children/crowded.ts', import.meta.url);
      const child = new Child(program, [outputDir], 'ulimit -n 128');
      await child.ended();
      expect(child.lines).toEqual(['running', 'EMFILE', 'running']);
    },
  );

  test('lists more runs than files can be open at once', async () => {
    const outputDir = outputFolder();
    for (let i = 0; i < 200; i++) {
      const dir = join(outputDir, `run-${i}`);
      mkdirSync(dir, { recursive: true });
      const store = { version: 1, id: `id-${i}`, name: null, created: i };
      writeFileSync(join(dir, 'plan.json'), `{"store":${JSON.stringify(store)}}\n`);
    }
    const program = new URL('./children/crowded.ts', import.meta.url);
    const child = new Child(program, [outputDir], 'ulimit -n 128');
    await child.ended();
    expect(child.lines).toEqual(['killed', 'EMFILE', 'killed']);
  });

  test('leaves out what is no run, and is empty where nothing is', async () => {
    const outputDir = outputFolder();
    mkdirSync(join(outputDir, 'notes', 'more'), { recursive: true });
    mkdirSync(join(outputDir, 'broken'));
    writeFileSync(join(outputDir, 'broken', 'plan.json'), 'no');
    expect(await listRuns(outputDir)).toEqual([]);
    expect(await listRuns(join(outputDir, 'none'))).toEqual([]);
  });
});
