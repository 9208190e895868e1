import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { addition, emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

const cwd = emptyFolder();

test('tasks prints rows, --json one row a line', async () => {
  const text = await vf(['tasks', addition, '-n', '2'], { cwd });
  expect(text.code).toBe(0);
  expect(text.stdout).toMatch(/^\w+ {2}What is 0 \+ 0\?\n\w+ {2}What is 1 \+ 1\?\n$/);
  expect(text.stderr).toBe('2 tasks\n');
  const json = await vf(['tasks', addition, '--taskset.count', '3', '--json'], { cwd });
  const rows = json.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(rows).toHaveLength(3);
  expect(rows[2]).toMatchObject({
    key: expect.any(String),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    prompt: 'What is 2 + 2?',
    answer: 4,
  });
});

test('validate says which tasks are unsound, and exits 5', async () => {
  writeFileSync(
    join(cwd, 'easy.ts'),
    `import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => [{ key: 'sound', prompt: 'write' }, { key: 'easy', prompt: 'nothing' }],
  validate: ({ runtime }) => runtime.write('done.txt', 'yes'),
  rewards: {
    done: async ({ task, runtime }) => {
      if (task.key === 'easy') return 1;
      const { exitCode } = await runtime.run(['test', '-f', 'done.txt']);
      return Number(exitCode === 0);
    },
  },
});
`,
  );
  const { code, stdout, stderr } = await vf(['validate', './easy.ts'], { cwd });
  expect(stderr).toContain('1 of 2 tasks are sound');
  expect(stdout).toMatch(/^easy {3}reference 1\.000 {3}nothing 1\.000/);
  expect(code).toBe(5);
});

test('validate tells once what all tries and both plays fail of, and what was warned of', async () => {
  writeFileSync(
    join(cwd, 'warned.ts'),
    `import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => ['row-1', 'row-2', 'row-3', 'row-4'].map((key) => ({ key, prompt: 'go' })),
  setup: ({ task, log }) => {
    log.warn('old form', { task: task.key, key: 'x', output: 'one\\ntwo' });
    if (task.key === 'row-3') throw new Error('no such place');
  },
  validate: () => 'yes',
  rewards: {
    done: ({ task, trace }) => {
      if (task.key === 'row-2') throw new Error('no grader');
      return Number(trace.lastReply === 'yes');
    },
  },
});
`,
  );
  const { stdout, stderr } = await vf(['validate', './warned.ts'], { cwd });
  expect(stderr).toContain('2 of 4 tasks are sound');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => line.includes('no grader'))).toEqual([
    expect.stringMatching(
      /^row-2 .* the reference solution and doing nothing could not be scored: /,
    ),
  ]);
  expect(lines.filter((line) => line.includes('no such place'))).toEqual([
    expect.stringMatching(/^row-3 .* cannot be played: /),
  ]);
  expect(lines.slice(2, 6)).toEqual([
    '4 tasks   warning: old form: key x',
    '    | one',
    '    | two',
    expect.stringMatching(/^ {2}row-/),
  ]);
});

test('plugins list shows what vf brings, from manifests alone', async () => {
  const { code, stdout } = await vf(['plugins', 'list'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^KIND +ID +PACKAGE +VERSION +FROM +STATE$/m);
  expect(stdout).toMatch(/^taskset +gsm8k +@vf\/taskset-gsm8k +\S+ +cli +ok$/m);
  const { plugins } = JSON.parse((await vf(['plugins', 'list', '--json'], { cwd })).stdout) as {
    plugins: { id: string }[];
  };
  expect(plugins.map(({ id }) => id)).toContain('null');
});

test('cleanup finds nothing in a clean place', async () => {
  const runtime = join(cwd, 'boxes');
  const { code, stdout } = await vf(['cleanup', '--dry-run', '--older-than', '100000h'], {
    cwd,
    env: { TMPDIR: runtime },
  });
  expect(code).toBe(0);
  expect(stdout).toBe('0 would be removed\n');
  expect((await vf(['cleanup', '--older-than', 'soon'], { cwd })).code).toBe(2);
});

test('--help of vf, of a command, and with the options of what is named', async () => {
  const general = await vf(['--help'], { cwd });
  expect(general).toMatchObject({ code: 0, stderr: '' });
  for (const name of [
    'eval',
    'resume',
    'rescore',
    'show',
    'tasks',
    'validate',
    'plugins',
    'cleanup',
  ])
    expect(general.stdout).toContain(`vf ${name}`);
  const named = await vf(['eval', addition, '--harness', 'bash', '--help'], { cwd });
  expect(named.stdout).toMatch(/--taskset\.count integer +\(default 100\)/);
  expect(named.stdout).toMatch(/--harness\.max-turns integer/);
  expect((await vf(['--version'], { cwd })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
