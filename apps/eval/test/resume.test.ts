import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, hang, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addition, emptyFolder, startVf, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Calls of the model up to this one are answered, later ones stay open. */
let answered = Infinity;
const answerAll = (): void => {
  answered = Infinity;
};
let model: ScriptedModel;
const cwd = emptyFolder();

beforeAll(async () => {
  const answer = answerSums();
  model = await startScriptedModel({
    script: (request) => (request.call > answered ? [hang()] : answer(request)),
  });
});
afterAll(() => model.close());

const run = (name: string, n: number): string[] => [
  'eval',
  addition,
  '-n',
  String(n),
  '-c',
  '2',
  '--run',
  name,
  '-m',
  'scripted',
  '--base-url',
  `${model.url}/v1`,
];

function tracesOf(name: string): { id: string; traces: unknown[] }[] {
  const path = join(cwd, 'outputs', name, 'traces.jsonl');
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; traces: unknown[] });
}

/** Starts a run of 6, two at once, whose calls hang after the first two rollouts are on disk. */
async function startHanging(name: string) {
  const before = model.turns.length;
  answered = before + 2;
  const running = startVf(run(name, 6), { cwd });
  await model.received(before + 4);
  return running;
}

test('after SIGKILL, resume plays exactly what is missing', async () => {
  const running = await startHanging('killed');
  running.process.kill('SIGKILL');
  expect((await running.done).signal).toBe('SIGKILL');
  answerAll();
  const before = tracesOf('killed').map(({ id }) => id);
  expect(before).toHaveLength(2);

  const shown = await vf(['show', 'killed'], { cwd });
  expect(shown.stdout).toContain('2 of 6 rollouts are there (killed)');
  expect(shown.stdout).toContain('vf resume killed (4)');
  expect((await vf(['show'], { cwd })).stdout).toMatch(/^killed .* killed +2\/6/m);

  const resumed = await vf(['resume', 'killed'], { cwd });
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toContain('2 done before');
  expect(resumed.stdout).toMatch(
    /6 rollouts, 6 tasks × 1 {4}[\d.]+ s, the last session [\d.]+ s$/m,
  );
  const after = tracesOf('killed').map(({ id }) => id);
  expect(after).toHaveLength(6);
  expect(after.slice(0, 2)).toEqual(before);

  const again = await vf(['resume', 'last'], { cwd });
  expect(again.code).toBe(0);
  expect(tracesOf('killed')).toHaveLength(6);
});

test('one SIGINT stops cleanly, says how to go on, and exits 130', async () => {
  const running = await startHanging('interrupted');
  running.process.kill('SIGINT');
  const { code, stderr } = await running.done;
  answerAll();
  expect(code).toBe(130);
  expect(stderr).toContain('vf: SIGINT: cancelling');
  expect(stderr).toMatch(
    /vf: interrupted after 2 of 6; what is complete is on disk\n {2}fix: vf resume interrupted {3}\[cancelled\]/,
  );
  expect(existsSync(join(cwd, 'outputs/interrupted/run.lock'))).toBe(false);
  expect((await vf(['resume', 'interrupted'], { cwd })).code).toBe(0);
  expect(tracesOf('interrupted')).toHaveLength(6);
});

test('SIGTERM does the same and exits 143', async () => {
  const running = await startHanging('terminated');
  running.process.kill('SIGTERM');
  expect((await running.done).code).toBe(143);
  answerAll();
});

test('a second process is refused while the first one writes', async () => {
  const running = await startHanging('shared');
  const second = await vf(['resume', 'shared'], { cwd });
  expect(second.code).toBe(2);
  expect(second.stderr).toContain('[store/locked]');
  expect(second.stderr).toContain(`process ${running.process.pid}`);

  const { stdout } = await vf(['show', 'shared'], { cwd });
  expect(stdout).toMatch(/next {6}vf show shared --follow$/m);
  expect(stdout).not.toContain('vf resume');

  const reader = startVf(['show', 'shared', '--follow'], { cwd });
  await reader.seen('2 of 6   reward 1.000   unscored 0');
  running.process.kill('SIGINT');
  await running.done;
  expect((await reader.done).stdout).toContain('2 of 6 rollouts are there (interrupted)');
  answerAll();
});

test('a name that is there is refused without --resume, and with another config', async () => {
  const started = await vf([...run('named', 2), '--resume'], { cwd });
  expect(started.code).toBe(0);
  const refused = await vf(run('named', 2), { cwd });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(
    /there is a run named named already .*\n {2}fix: --resume goes on with it.*\[store\/exists\]/,
  );

  expect((await vf([...run('named', 2), '--resume'], { cwd })).code).toBe(0);
  expect((await vf([...run('named', 4), '--resume'], { cwd })).code).toBe(0);
  expect(tracesOf('named')).toHaveLength(4);

  writeFileSync(join(cwd, 'hot.toml'), '\n[sampling]\ntemperature = 1.0\n');
  const other = await vf([...run('named', 4), '--resume', '@', 'hot.toml'], { cwd });
  expect(other.code).toBe(2);
  expect(other.stderr).toContain('vf: run named measured something else; nothing was started');
  expect(other.stderr).toMatch(/sampling\.temperature +unset → 1 \(hot\.toml:3\)/);
  expect(other.stderr).toContain(
    'vf resume named without these goes on as it was; with them: vf eval … --run NEW   [store/other_config]',
  );
});

test('a mended task is played again when nothing is left of what it was; one with a score is refused', async () => {
  const rows = (second: string): string => `
import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => [
    { key: 'a', prompt: 'What is 1 + 1?' },
    { key: 'b', prompt: 'What is 2 + 2?', name: ${second} },
  ],
  setup: ({ task }) => {
    if (task.name === 'broken') throw new Error('no such file');
  },
  rewards: { right: () => 1 },
});`;
  const file = join(cwd, 'mended.ts');
  writeFileSync(file, rows("'broken'"));
  const args = [...run('mended', 2)];
  args[1] = file;
  expect((await vf(args, { cwd })).code).toBe(3);
  writeFileSync(file, rows("'whole'"));
  const untold = await vf(['resume', 'mended'], { cwd });
  expect(untold.stderr).toMatch(/tasks +1 have another content: b\n {2}fix: put the tasks back/);
  expect(untold.stderr).toContain('vf eval @ outputs/mended/config.toml --run NEW');
  const resumed = await vf(['resume', 'mended', '--include', 'taskset'], { cwd });
  expect(resumed.stderr).toContain('1 done before');
  expect(resumed.code).toBe(0);
  writeFileSync(file, rows("'another'"));
  const refused = await vf(['resume', 'mended', '--include', 'taskset'], { cwd });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('1 have another content: b');
});
