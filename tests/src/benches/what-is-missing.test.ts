import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const bench = resolve(import.meta.dirname, '../../../bench');

/** Runs a bench where there is no program but Node, no engine, and nothing installed before. */
function run(name: string, ...args: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'vf-benches-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const program = join(bench, 'src', `${name}.ts`);
  return spawnSync(process.execPath, ['--conditions=@vf/source', program, ...args], {
    cwd: bench,
    encoding: 'utf8',
    timeout: 30_000,
    env: {
      HOME: home,
      PATH: join(home, 'bin'),
      DOCKER_HOST: `unix://${join(home, 'docker.sock')}`,
    },
  });
}

const missing: readonly (readonly [args: readonly string[], told: string])[] = [
  [['harbor'], 'uv is not there: Harbor'],
  [['harbor', '--harbor', '/nowhere/harbor'], '/nowhere/harbor is no program'],
  [['docker-boxes'], 'the Docker engine does not answer'],
  [['agent-set-up', 'codex'], 'the Docker engine does not answer'],
];

test.each(missing)('bench %s tells what it cannot do without', ([name = '', ...args], told) => {
  const { status, stderr } = run(name, ...args);
  expect(stderr).toContain(told);
  expect(stderr).toMatch(/^bench: .+\n {2}fix: .+ \[[a-z]+\/[a-z_]+\]\n$/);
  expect(status).toBe(2);
});
