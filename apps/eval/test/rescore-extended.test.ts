import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, hang, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { emptyFolder, startVf, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

const taskset = (score: string, tasks = '[1, 2, 3, 4, 5, 6]'): string => `
import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => ${tasks}.map((n) => ({ key: \`t\${n}\`, prompt: \`What is \${n} + \${n}?\` })),
  rewards: { right: ({ trace }) => ${score} },
});`;

const old = 'Number(trace.lastReply === "4")';
const mended = 'Number(trace.lastReply !== "4")';

let answered = Infinity;
let model: ScriptedModel;
let cwd: string;
const folders = [emptyFolder(), emptyFolder(), emptyFolder(), emptyFolder(), emptyFolder()];

beforeAll(async () => {
  const answer = answerSums();
  model = await startScriptedModel({
    script: (request) => (request.call > answered ? [hang()] : answer(request)),
  });
});
afterAll(() => model.close());

beforeEach(() => {
  cwd = folders.pop() ?? cwd;
  answered = Infinity;
  score(old);
});

const score = (text: string, tasks?: string): void =>
  writeFileSync(join(cwd, 'sums.ts'), taskset(text, tasks));

const evaluate = (...args: string[]): string[] => [
  'eval',
  './sums.ts',
  '-m',
  'scripted',
  '--base-url',
  `${model.url}/v1`,
  ...args,
];

async function ran(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await vf(args, { cwd });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}\n${stdout}${stderr}`);
  return stdout;
}

async function refused(...args: string[]): Promise<string> {
  const { code, stderr } = await vf(args, { cwd });
  expect(code).toBe(2);
  return stderr;
}

const planOf = (run: string): unknown =>
  JSON.parse(readFileSync(join(cwd, 'outputs', run, 'plan.json'), 'utf8'));

test('a run that resume extended says what it is, and is rescored whole', async () => {
  await ran(...evaluate('-n', '2', '--run', 'small'));
  await ran('resume', 'small', '-n', '5', '-r', '2');
  expect(planOf('small')).toMatchObject({
    attempts: 2,
    tasks: { t1: expect.any(String), t5: expect.any(String) },
    about: { planned: { tasks: 5, attempts: 2, rollouts: 10 } },
  });
  const config = readFileSync(join(cwd, 'outputs/small/config.toml'), 'utf8');
  expect(config).toContain('num_examples = 5');
  expect(config).toContain('rollouts_per_example = 2');
  await ran('resume', 'small');

  score(mended);
  expect(await ran('rescore', 'small', '--run', 'again')).toMatch(
    /10 rollouts, 5 tasks × 2[^]*reward +0\.800/,
  );
  expect(await ran('rescore', 'small', '--run', 'few', '-n', '3', '-r', '1')).toContain(
    '3 rollouts, 3 tasks × 1',
  );
});

test('a run whose config names fewer tasks than were played is rescored whole', async () => {
  await ran(...evaluate('-n', '4', '--run', 'short'));
  const path = join(cwd, 'outputs/short/config.toml');
  writeFileSync(path, readFileSync(path, 'utf8').replace('num_examples = 4', 'num_examples = 2'));
  expect(await ran('rescore', 'short')).toContain('4 rollouts, 4 tasks × 1');

  score(old, '[1, 2, 4]');
  const stderr = await refused('rescore', 'short', '--run', 'gone');
  expect(stderr).toMatch(/run short has tasks that the taskset has not\n {2}tasks +1 of 4 .*: t3/);
  expect(stderr).toContain('vf rescore short -n 3');
  expect(await ran('rescore', 'short', '-n', '3')).toContain('3 rollouts, 3 tasks × 1');
});

test('a run is not gone on with by another scorer; its rescored run is', async () => {
  answered = model.turns.length + 2;
  const running = startVf(evaluate('-c', '2', '--run', 'part'), { cwd });
  await model.received(answered + 2);
  running.process.kill('SIGKILL');
  await running.done;
  answered = Infinity;

  score(mended);
  for (const args of [[], ['--include', 'scoring', '-n', '6']]) {
    const stderr = await refused('resume', 'part', ...args);
    expect(stderr).toMatch(
      /^vf: run part was scored by other scorers; nothing was started\n {2}scorers\.rewards\.right\.code +\w{16} → \w{16}\n {2}fix: vf rescore part .*\[store\/other_config\]$/m,
    );
  }
  const again = await vf(['rescore', 'part', '--run', 'mended'], { cwd });
  expect(again.code).toBe(3);
  expect(again.stdout).toMatch(/next .*vf resume mended \(4\)/);
  expect(await ran('resume', 'mended')).toMatch(/6 rollouts, 6 tasks × 1[^]*reward +0\.833/);

  const there = await refused('rescore', 'part', '--run', 'mended');
  expect(there).toMatch(
    /there is a run named mended already .*\n {2}fix: --run NAME names another.*\[store\/exists\]/,
  );
  expect(there).not.toContain('--resume');
});

test('a mended scorer that reads the box has its rollouts played again in the rescored run', async () => {
  const boxed = (text: string): void =>
    writeFileSync(
      join(cwd, 'sums.ts'),
      taskset(text).replace('({ trace })', 'async ({ trace, runtime })'),
    );
  boxed('JSON.parse("no")');
  const broken = await vf(evaluate('-n', '2', '--run', 'broken'), { cwd });
  expect(broken.code).toBe(3);
  boxed('(await runtime.run(["true"])).exitCode + Number(trace.lastReply === "4")');
  expect((await vf(['rescore', 'broken', '--run', 'read'], { cwd })).stdout).toContain(
    'unscored  2',
  );
  expect(await ran('resume', 'read', '--include', 'scoring')).toMatch(/reward +0\.500 .* 2$/m);
});

test('a rescored run differs from a played one in nothing that is not scoring', async () => {
  await ran(...evaluate('--run', 'played', '--sampling.temperature', '0.5'));
  score(mended);
  await ran('rescore', 'played', '--run', 'rescored');
  await ran(...evaluate('--run', 'fresh', '--sampling.temperature', '0.5'));
  expect(await ran('compare', 'rescored', 'fresh')).toContain('differs  nothing that is recorded');
  expect(planOf('rescored')).toMatchObject({
    parent: 'played',
    measured: { dialect: 'chat-completions', 'provider.agent.id': 'custom' },
    providers: { agent: { id: 'custom' } },
  });
  const differences = await ran('compare', 'played', 'rescored', '--allow', 'scoring', '--json');
  const { comparison } = JSON.parse(differences) as { comparison: { differences: object[] } };
  expect(comparison.differences).toMatchObject([{ path: 'scorers.rewards.right.code' }]);
});
