import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '@vf/core/trace';
import { finish, say, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { emptyFolder, vf } from './cli.ts';
import type { CliResult } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

/** The scorer throws in two places; at the first what it says quotes the reply. */
const buggy = `
import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => [1, 2, 3, 4, 5, 6].map((n) => ({ key: \`t\${n}\`, prompt: \`Task \${n}\` })),
  rewards: {
    number: ({ task, trace }) => {
      if (task.key === 't6') return Number(task.answer.length);
      const found = trace.lastReply.match(/\\d+/);
      if (found === null) throw new Error(\`no number in "\${trace.lastReply}" of \${task.key}\`);
      return 1;
    },
  },
  validate: () => 'none',
});`;

let model: ScriptedModel;
let first: CliResult;
const cwd = emptyFolder();
const out = join(cwd, 'else where');

beforeAll(async () => {
  model = await startScriptedModel({
    script: (request) => {
      const n = Number(/\d/.exec(textOf(request.messages.at(-1)?.content ?? ''))?.[0]);
      if (n < 3) return say(`It is ${n}`);
      const texts = ['one', 'He said "five"\nand "six', 'none "at" all', 'nothing'];
      return [say(texts[n - 3] ?? ''), finish('length')];
    },
  });
  writeFileSync(join(cwd, 'buggy.ts'), buggy);
  first = await vf([...evalLine('night'), '-o', out, '-c', '1'], { cwd });
});
afterAll(() => model.close());

const evalLine = (name: string): string[] => [
  'eval',
  './buggy.ts',
  '--run',
  name,
  '-m',
  'scripted',
  '--base-url',
  `${model.url}/v1`,
];

const show = (...args: string[]): Promise<CliResult> =>
  vf(['show', ...args], { cwd, env: { VF_OUTPUT_DIR: out } });

test('where the code of a scorer threw is on every screen', async () => {
  expect(first.code).toBe(3);
  expect(first.stderr).toMatch(
    /t3:1 has no score: reward number: no number in "one" of t3 {3}at buggy\.ts:9:\d+ {3}\[/,
  );
  const episode = (await show('night', 't6')).stdout;
  expect(episode).toMatch(/^ {2}error .*reading 'length'\) {3}at buggy\.ts:7:\d+$/m);
  const stopped = await vf(
    [...evalLine('stopped'), '-o', out, '-c', '1', '--gate.stop-after', '3'],
    {
      cwd,
    },
  );
  expect(stopped.code).toBe(4);
  expect(stopped.stderr).toMatch(
    /scoring\/hook_failed in scoring: reward number: .* {3}at buggy\.ts:9:\d+$/m,
  );
});

test('failures of one place are one group, whatever of the reply they quote, and there is a total', async () => {
  const { stdout } = await show('night', '--errors');
  expect(stdout).toMatch(/^ {5}3 {2}scoring\/hook_failed {3}in scoring {3}at buggy\.ts:9:\d+$/m);
  expect(stdout).toMatch(/^ {5}1 {2}scoring\/hook_failed {3}in scoring {3}at buggy\.ts:7:\d+$/m);
  expect(stdout).toMatch(/\n\n4 of 6 rollouts without a score, 2 kinds of failure\n$/);
  const json = JSON.parse((await show('night', '--errors', '--json')).stdout) as object;
  expect(json).toMatchObject({ rollouts: 6, unscored: [{ count: 3 }, { count: 1 }] });
});

test('replies that met their limit are counted and can be asked for', async () => {
  expect(first.stdout).toContain('  cut short 4 of 6 rollouts, by max_tokens 4\n');
  const { stdout } = await show('night', '--where', 'truncated');
  expect(stdout.trimEnd().split('\n')).toHaveLength(5);
  expect((await show('night', '--where', '-truncated -task:t2')).stdout).toMatch(
    /^EPISODE.*\nt1:1 .*\n$/,
  );
});

/** The command lines behind `next`, as a shell would split them. */
function nextLines(text: string): string[][] {
  const [, line = ''] = /^ {2}next +(.*)$/m.exec(text) ?? [];
  return line
    .split(/ {6}/)
    .map((command) => command.replace(/ \(\d+\)$/, ''))
    .map((command) =>
      [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(1),
    );
}

test('what is printed to type works where it was printed, wherever the run lies', async () => {
  const typed = nextLines(first.stdout);
  expect(typed).toEqual([
    ['show', 'else where/night', '--errors'],
    ['rescore', 'else where/night'],
  ]);
  for (const line of typed) expect((await vf(line, { cwd })).stderr).not.toContain('usage/');
  expect(nextLines((await show('night')).stdout)[0]).toEqual(['show', 'night', '--errors']);
  const inside = join(cwd, 'deeper');
  mkdirSync(inside);
  const elsewhere = await vf(['show', '../else where/night'], { cwd: inside });
  const [again = []] = nextLines(elsewhere.stdout);
  expect(again[1]).toBe('../else where/night');
  expect((await vf(again, { cwd: inside })).code).toBe(0);
  const errors = (await vf(['show', 'else where/night', '--errors'], { cwd })).stdout;
  expect(errors).toContain("example    vf show 'else where/night' t3:1");

  const missing = await vf(['show', 'night'], { cwd });
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain(`no run "night" in ${join(cwd, 'outputs')}`);
  expect(missing.stderr).toContain('--output-dir DIR, or VF_OUTPUT_DIR');
});

test('the list and the table tell a rescored run from a played one', async () => {
  const rescored = await vf(['rescore', 'night', '--run', 'again'], {
    cwd,
    env: { VF_OUTPUT_DIR: out },
  });
  expect(rescored.stdout).toContain('  rescored from night; no agent was played\n');
  expect((await show('again')).stdout).toContain('  rescored from night; no agent was played\n');
  expect((await show('night')).stdout).not.toContain('rescored from');
  const list = (await show()).stdout;
  expect(list).toMatch(/^RUN .* DONE +UNSCORED +REWARD +AGE +RESCORED FROM$/m);
  expect(list).toMatch(/^again .* 6\/6 +4 +1\.000 .* night$/m);
  const { runs } = JSON.parse((await show('--json')).stdout) as { runs: object[] };
  expect(runs).toContainEqual(
    expect.objectContaining({ run: 'again', parent: 'night', unscored: 4 }),
  );
  expect(runs).toContainEqual(expect.objectContaining({ run: 'night', parent: null }));
});

test('validate says a problem once, with how many tasks have it', async () => {
  const { code, stdout } = await vf(['validate', './buggy.ts'], { cwd });
  expect(code).toBe(5);
  const lines = stdout.trimEnd().split('\n');
  expect(lines.filter((line) => line.includes('no number in "none" of TASK'))).toHaveLength(1);
  expect(lines[0]).toMatch(/^5 tasks {3}.*at .*buggy\.ts:\d+:\d+ \[scoring\/hook_failed\]$/);
  expect(stdout).toContain('  … and 2 more; --json has each');
  const json = await vf(['validate', './buggy.ts', '--json'], { cwd });
  expect(json.stdout.trimEnd().split('\n')).toHaveLength(6);
});

test.each([
  ['show --where reward<1', '--where of which run?', "vf show RUN --where 'reward<1'"],
  ['show --errors', '--errors of which run?', 'vf show RUN --errors'],
  ['show --full', '--full of which episode?', 'vf show RUN EPISODE --full'],
  ['show night --call 1', '--call of which episode?', 'vf show night EPISODE --call 1'],
  ['show night t1 --by task', '--by is for a whole run', 'vf show night --by task'],
  ['export night --to csv -o a.csv -o b.csv', '--output is given twice', 'leave one of them out'],
  ['compare night night --max-drop 1 --max-drop 2', '--max-drop is given twice', 'leave one'],
  ['cleanup -o here', '--output-dir has no meaning here', 'leave it out'],
])('%s is refused', async (line, message, fix) => {
  const { code, stdout, stderr } = await vf(line.split(' '), { cwd, env: { VF_OUTPUT_DIR: out } });
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(message);
  expect(stderr).toContain(fix);
});

test('an export names its file with -o and the folder of the runs with --output-dir', async () => {
  const args = ['export', 'night', '--to', 'csv', '-o', 'night.csv', '--output-dir', out];
  const { code, stderr } = await vf(args, { cwd });
  expect(stderr).not.toContain('fix:');
  expect(code).toBe(0);
});
