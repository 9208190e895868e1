import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { addition, emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

const cwd = emptyFolder();

const rest = `model = "m"

[client]
base_url = "http://127.0.0.1:9/v1"
`;

/** The places that `vf eval --dry-run` tells, before the paths of what is wrong. */
async function places(file: string, ...flags: string[]): Promise<readonly string[]> {
  const { code, stderr } = await vf(['eval', '@', file, '--dry-run', ...flags], { cwd });
  expect(code, stderr).toBe(2);
  return Array.from(
    stderr.matchAll(/^ {2}(\S+) +((?:taskset|harness|runtime|environment)\.\S+) /gm),
  ).map(([, place, path]) => `${place} ${path}`);
}

test.each([
  ['taskset', `id = "${addition}"`, 'count', '"many"'],
  ['harness', 'id = "bash"', 'command_timeout', '"long"'],
  ['runtime', 'id = "docker"', 'pids', '"many"'],
  ['environment', 'id = "best-of-n"', 'n', '"few"'],
])('wrong options of the %s are told by file and line', async (table, id, option, wrong) => {
  const taskset = table === 'taskset' ? '' : `\n[taskset]\nid = "${addition}"\n`;
  const text = `[${table}]\n${id}\nno_such_thing = 1\n\n${option} = ${wrong}\n${taskset}`;
  writeFileSync(join(cwd, 'wrong.toml'), `${rest}\n${text}`);
  const known = (await places('wrong.toml')).filter((line) => line.includes(`${table}.`));
  expect(known).toEqual([
    `wrong.toml:8:1 ${table}.no_such_thing`,
    `wrong.toml:10:1 ${table}.${option}`,
  ]);
});

test('those of a flag by the flag, those of JSON by its lines, in --json too', async () => {
  writeFileSync(
    join(cwd, 'wrong.json'),
    `{ "model": "m", "taskset": { "id": ${JSON.stringify(addition)} },
  "client": { "base_url": "http://127.0.0.1:9/v1" },
  "runtime": { "id": "docker",
    "pids": "many" } }`,
  );
  expect(await places('wrong.json', '--runtime.memory_bm', '7')).toEqual([
    '--runtime.memory_bm runtime.memory_bm',
    'wrong.json:4:5 runtime.pids',
  ]);
  const { stdout } = await vf(['eval', '@', 'wrong.json', '--dry-run', '--json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    problems: [{ file: 'wrong.json', line: 4, column: 5, path: 'runtime.pids' }],
  });
});

test('an option that is missing has no place of its own', async () => {
  writeFileSync(join(cwd, 'short.toml'), `${rest}\n[taskset]\nid = "${addition}"\n`);
  const { stderr } = await vf(['eval', '@', 'short.toml', '--harness', 'command', '--dry-run'], {
    cwd,
  });
  expect(stderr).toMatch(/^ {2}harness\.name +harness command: /m);
});
