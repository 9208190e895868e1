import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import { expect, test, vi } from 'vitest';
import { emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

const taskset = (score: string): string => `
import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => [1, 2, 3].map((n) => ({ key: \`t\${n}\`, prompt: \`What is \${n} + \${n}?\` })),
  rewards: { right: ({ trace }) => ${score} },
});`;

test('a mended scorer scores the stored traces again, without a model and without a key', async () => {
  const cwd = emptyFolder();
  const model = await startScriptedModel({ script: answerSums() });
  writeFileSync(join(cwd, 'sums.ts'), taskset('JSON.parse("not json")'));
  const options = ['-m', 'scripted', '--base-url', `${model.url}/v1`, '--api-key-var', 'SUMS_KEY'];
  const first = await vf(['eval', './sums.ts', '--run', 'first', ...options], {
    cwd,
    env: { SUMS_KEY: 'a-key-of-sums' },
  });
  expect(first.code).toBe(3);
  await model.close();

  writeFileSync(join(cwd, 'sums.ts'), taskset('Number(trace.lastReply === "4")'));
  const again = await vf(['rescore', 'first', '--run', 'second'], { cwd });
  expect(again.stderr).toBe('');
  expect(again.code).toBe(0);
  expect(again.stdout).toMatch(/reward +0\.333/);
  const plan = JSON.parse(readFileSync(join(cwd, 'outputs/second/plan.json'), 'utf8')) as object;
  expect(plan).toMatchObject({ parent: 'first', run: { name: 'second' } });
  // The parent stays as it was.
  expect((await vf(['show', 'first'], { cwd })).stdout).toContain('vf rescore first (3)');
});

test('a score that reads the box stays without a value', async () => {
  const cwd = emptyFolder();
  const model = await startScriptedModel({ script: answerSums() });
  writeFileSync(
    join(cwd, 'sums.ts'),
    taskset('1').replace(
      '({ trace }) => 1',
      'async ({ runtime }) => (await runtime.run(["true"])).exitCode === 0 ? 1 : 0',
    ),
  );
  const options = ['-m', 'scripted', '--base-url', `${model.url}/v1`];
  expect((await vf(['eval', './sums.ts', '--run', 'boxed', ...options], { cwd })).code).toBe(0);
  await model.close();
  const again = await vf(['rescore', 'boxed'], { cwd });
  expect(again.code).toBe(3);
  expect(again.stdout).toContain('unscored  3');
  expect(again.stdout).toMatch(/vf resume \S+ --include scoring \(3\)/);
  expect(again.stdout).not.toContain('vf rescore');
});

test('a taskset whose rewards look into the box is refused before a run is made, with what works', async () => {
  const cwd = emptyFolder();
  const model = await startScriptedModel({ script: answerSums() });
  const grader = (score: string): string =>
    taskset(score).replace('load:', 'needs: { boxToScore: true }, load:');
  writeFileSync(join(cwd, 'sums.ts'), grader('trace.task.key === "t1" ? 1 : NaN'));
  const options = ['-m', 'scripted', '--base-url', `${model.url}/v1`];
  const first = await vf(['eval', './sums.ts', '--run', 'boxed', ...options], { cwd });
  expect(first.stdout).toContain('vf resume boxed --include scoring (2)');
  expect(first.stdout).not.toContain('vf rescore');
  const errors = await vf(['show', 'boxed', '--errors'], { cwd });
  expect(errors.stdout).toContain('fix        vf resume boxed --include scoring, once');

  const again = await vf(['rescore', 'boxed', '--run', 'new'], { cwd });
  expect(again.code).toBe(2);
  expect(again.stderr).toMatch(/rewards of taskset \S+ look into the box, which is gone/);
  expect(again.stderr).toContain('fix: vf resume boxed --include scoring plays');
  expect(existsSync(join(cwd, 'outputs/new'))).toBe(false);
  expect((await vf(['resume', 'boxed', '--include', 'scoring'], { cwd })).code).toBe(3);
  const anew = ['eval', '@', 'outputs/boxed/config.toml', '--run', 'anew'];
  expect((await vf(anew, { cwd })).stdout).toContain('unscored  2');
  await model.close();
});

test('a disk that takes no more stops it with exit code 4, and says how to go on', async () => {
  const cwd = emptyFolder();
  const model = await startScriptedModel({ script: answerSums() });
  writeFileSync(join(cwd, 'sums.ts'), taskset('1'));
  const options = ['-m', 'scripted', '--base-url', `${model.url}/v1`];
  expect((await vf(['eval', './sums.ts', '--run', 'first', ...options], { cwd })).code).toBe(0);
  await model.close();
  const blocks = "(mkdirSync('outputs/second/summary.json/in', { recursive: true }), 1)";
  const source = taskset(blocks).replace('export', "import { mkdirSync } from 'node:fs';\nexport");
  writeFileSync(join(cwd, 'sums.ts'), source);
  const { code, stdout, stderr } = await vf(['rescore', 'first', '--run', 'second'], { cwd });
  expect(stdout).toMatch(/reward +1\.000/);
  expect(stderr).toMatch(/^vf: stopped after 3 of 3: .*summary\.json cannot be written/m);
  expect(stderr).toMatch(/then vf rescore first {3}\[store\/not_writable\]$/m);
  expect(code).toBe(4);
});
