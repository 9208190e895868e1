import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { root } from './workspace.ts';

const script = join(root, 'tools/docker-engine');
let cache: string;

beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'vf-engine-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
});

/** The script with a cache and a socket of its own; `PATH` has no package manager that it could call. */
function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(script, args, {
    encoding: 'utf8',
    env: {
      PATH: '/usr/bin:/bin',
      VF_DOCKER_CACHE: cache,
      VF_DOCKER_DATA: join(cache, 'data'),
      VF_DOCKER_SOCKET: join(cache, 'docker.sock'),
    },
  });
  return { status, stdout, stderr };
}

const pidFile = (): string =>
  join(cache, `dockerd${join(cache, 'docker.sock').replaceAll('/', '-')}.pid`);

/** A process of a program by this name. */
function start(name: string): { readonly pid: number; readonly ended: Promise<unknown> } {
  const program = join(cache, name);
  copyFileSync('/bin/sleep', program);
  const child = spawn(program, ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { pid: child.pid ?? NaN, ended: once(child, 'exit') };
}

test.each(['--help', '-h'])(
  '%s tells what it does and how it is stopped, and starts nothing',
  (flag) => {
    const { status, stdout } = run(flag);
    expect(status).toBe(0);
    for (const word of ['--stop', 'VF_DOCKER_SOCKET', 'VF_DOCKER_DATA', 'VF_DOCKER_CACHE'])
      expect(stdout).toContain(word);
    expect(readdirSync(cache)).toEqual([]);
  },
);

test('an option that it does not know is refused with the help, and starts nothing', () => {
  const { status, stderr } = run('--halp');
  expect(status).toBe(2);
  expect(stderr).toMatch(/^tools\/docker-engine: unknown option --halp\n.*--stop/s);
  expect(readdirSync(cache)).toEqual([]);
});

test('the script for other engines tells what it takes, and starts nothing either', () => {
  const other = (...args: string[]) =>
    spawnSync(join(root, 'tools/other-engine'), args, { encoding: 'utf8', env: { PATH: '/bin' } });
  expect(other('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('podman|') });
  for (const args of [[], ['--stop'], ['docker']])
    expect(other(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining('podman|') });
});

test('--stop ends the engine that it started', async () => {
  const engine = start('dockerd');
  writeFileSync(pidFile(), `${engine.pid}\n`);
  const { status, stderr } = run('--stop');
  expect([status, stderr]).toEqual([0, expect.stringContaining('stopped the engine at')]);
  await engine.ended;
  expect(existsSync(pidFile())).toBe(false);
});

test('--stop ends nothing else: no engine, or a number that is another program’s by now', () => {
  const other = start('editor');
  for (const pid of [null, other.pid]) {
    if (pid !== null) writeFileSync(pidFile(), `${pid}\n`);
    const { status, stderr } = run('--stop');
    expect([status, stderr]).toEqual([0, expect.stringContaining('no engine that this script')]);
  }
  expect(() => process.kill(other.pid, 0)).not.toThrow();
});
