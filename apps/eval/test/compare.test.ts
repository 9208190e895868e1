import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, say, startScriptedModel } from '@vf/testkit';
import type { ScriptFunction, ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addition, emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

let script: ScriptFunction = answerSums();
let model: ScriptedModel;
const cwd = emptyFolder();

const evaluate = async (name: string, ...args: string[]): Promise<void> => {
  const run = ['eval', '-m', 'scripted', '--base-url', `${model.url}/v1`, '-q', '--run', name];
  const { code, stderr } = await vf([...run, ...args], { cwd });
  if (code !== 0) throw new Error(stderr);
};

/** `good` solves all 12 sums, `bad` one of them. */
beforeAll(async () => {
  model = await startScriptedModel({ script: (request) => script(request) });
  await evaluate('good', addition, '-n', '12');
  script = () => say('0');
  await evaluate('bad', addition, '-n', '12', '--harness', 'bash', '--sampling.temperature', '0');
});
afterAll(() => model.close());

const compare = (...args: string[]): ReturnType<typeof vf> => vf(['compare', ...args], { cwd });

test('two runs: what differs, the table, flips, worst case, power', async () => {
  const { code, stdout, stderr } = await compare('good', 'bad');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^A good {2}null {4}B bad {2}bash {9}vf compare good bad\n {2}differs {2}harness\.id, sampling\.temperature \(unset → 0\)/,
  );
  expect(stdout).toMatch(
    /^ {2}same +12 tasks \(by hash\), model, limits, runtime, taskset, scorers$/m,
  );
  expect(stdout).toMatch(/^ +A +B +B − A +95 % interval +p$/m);
  expect(stdout).toMatch(
    /^ {2}reward +1\.000 +0\.083 +−0\.917 +−1\.000 … −0\.498 +<0\.001 +12 tasks in both$/m,
  );
  expect(stdout).toMatch(/^ {4}exactMatch +1\.000 +0\.083 +−0\.917/m);
  expect(stdout).toMatch(/^ {2}turns +1\.0 +1\.0 +0\.0 +– +–$/m);
  expect(stdout).toMatch(
    /^ {2}flips {4}B only 0, A only 11 \(--flips\) {4}scored only in A 0, only in B 0$/m,
  );
  expect(stdout).toMatch(
    /^ {2}unscored 0 and 0: worst case −1\.000 … −0\.498 {4}80 % power for 0\.\d{3}$/m,
  );
});

test('--flips lists tasks, --json is one document', async () => {
  const flips = (await compare('good', 'bad', '--flips')).stdout.trimEnd().split('\n');
  expect(flips[0]).toMatch(/^TASK +SOLVED +A +B$/);
  expect(flips).toHaveLength(12);
  expect(flips[1]).toMatch(/^\w+ +A only +1\.000 +0\.000$/);
  const { stdout } = await compare('good', 'bad', '--json', '--max-drop', '1');
  expect(JSON.parse(stdout)).toMatchObject({
    v: 1,
    comparison: {
      a: { run: 'good' },
      leading: [{ path: 'harness.id', a: 'null', b: 'bash' }, { path: 'sampling.temperature' }],
      reward: { a: 1, difference: { tasks: 12, standard_error: expect.any(Number) } },
      scored_only_in: { a: [], b: [] },
      flips: { a_only: { length: 11 } },
    },
    gate: { max_drop: 1, passed: true },
  });
});

test('--max-drop and --strict decide the exit code and write reports', async () => {
  const failed = await compare(
    'good',
    'bad',
    '--max-drop',
    '0.1',
    '--junit',
    'c.xml',
    '--markdown',
    'c.md',
  );
  expect(failed.code).toBe(5);
  expect(failed.stdout).toContain('reward');
  expect(failed.stderr).toMatch(
    /^vf: reward dropped by 0\.917 \(drop: 95 % interval 0\.498 … 1\.000\), wholly beyond --max-drop 0\.1\n {2}fix: vf compare good bad --flips/,
  );
  const junit = readFileSync(join(cwd, 'c.xml'), 'utf8');
  expect(junit).toMatch(/<testsuites tests="4" failures="1">/);
  expect(junit).toContain('<failure type="max-drop" message="reward dropped by');
  const markdown = readFileSync(join(cwd, 'c.md'), 'utf8');
  expect(markdown).toMatch(/^### good → bad\n\n❌ reward dropped/);
  expect(markdown).toMatch(/^\| reward \| 1\.000 \| 0\.083 \| −0\.917 \|/m);
  expect(readdirSync(cwd).filter((file) => file.endsWith('.part'))).toEqual([]);

  expect((await compare('bad', 'good', '--max-drop', '0')).code).toBe(0);
  expect((await compare('good', 'good', '--max-drop', '0.5', '--strict')).code).toBe(0);
  const strict = await compare('good', 'good', '--max-drop', '0.1', '--strict');
  expect(strict).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('--strict wants all of it within 0.1'),
  });
});

test('what cannot be compared or is misspelt is refused with a fix', async () => {
  const one = await compare('good');
  expect(one).toMatchObject({ code: 2, stderr: expect.stringContaining('fix: vf compare A B') });
  const strict = await compare('good', 'bad', '--strict');
  expect(strict).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--max-drop 0.02 --strict'),
  });
  expect((await compare('good', 'bad', '--max-drop', 'some')).code).toBe(2);
  expect((await compare('good', 'bad', '--allow', 'models')).code).toBe(2);
  expect((await compare('good', 'gone')).stderr).toContain('[usage/not_found]');
  const nowhere = await compare('good', 'bad', '--junit', 'no/such/folder/c.xml');
  expect(nowhere).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('[store/not_writable]'),
  });
});

test('a scorer that was edited is noticed', async () => {
  const taskset = (scorer: string): string => `import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => [{ key: 'one', prompt: 'What is 0 + 0?' }, { key: 'two', prompt: 'What is 1 + 1?' }],
  rewards: { right: ${scorer} },
});
`;
  writeFileSync(join(cwd, 'own.ts'), taskset("({ trace }) => Number(trace.lastReply === '0')"));
  await evaluate('before', './own.ts');
  writeFileSync(join(cwd, 'own.ts'), taskset("({ trace }) => Number(trace.lastReply !== '')"));
  await evaluate('after', './own.ts');
  const refused = await compare('before', 'after');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(
    /vf: before and after did not measure the same\n {2}scorers\.rewards\.right\.code +\w{16} → \w{16}\n {2}fix: vf rescore before, the older one, to score both alike, or vf compare before after --allow scoring {3}\[usage\/not_comparable\]/,
  );
  const allowed = await compare('before', 'after', '--allow', 'scoring', '--allow', 'tasks');
  expect(allowed.code).toBe(0);
  expect(allowed.stdout).toContain('scorers.rewards.right.code');
});
