import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { vf } from './cli.ts';

const repository = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'vf-complete-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bin = join(repository, 'apps/eval/bin/vf.js');
writeFileSync(
  join(folder, 'vf'),
  `#!/bin/sh\nexec '${process.execPath}' --conditions=@vf/source '${bin}' "$@"\n`,
);
chmodSync(join(folder, 'vf'), 0o755);
writeFileSync(join(folder, 'nightly.toml'), '');

/** Presses Tab behind `line` in a real bash, by the rules that the sourced script has set. */
async function tab(line: string): Promise<string[]> {
  const script = `
    source <(vf completion bash)
    COMP_LINE=$1; COMP_POINT=\${#1}
    # Words as readline cuts them.
    COMP_WORDS=($(sed -E 's/([:=@])/ \\1 /g' <<<"$1")); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
    case $1 in *' ') COMP_WORDS+=(""); COMP_CWORD=$(( COMP_CWORD + 1 ));; esac
    _vf; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script, 'bash', line], {
    cwd: folder,
    env: {
      PATH: `${folder}${delimiter}${process.env['PATH']}`,
      VF_PROJECT: repository,
      HOME: folder,
    },
  });
  return stdout.split('\n').filter((word) => word !== '');
}

describe('bash completes', () => {
  test.each([
    ['vf res', ['resume', 'rescore']],
    ['vf plugins ', ['list', 'show', 'doctor']],
    ['vf plugins show cod', ['codex']],
    ['vf eval gsm', ['gsm8k']],
    ['vf eval gsm8k --harness cla', ['claude-code']],
    ['vf eval gsm8k --provider open', ['openai', 'openrouter']],
    ['vf eval gsm8k --limits.max-t', ['--limits.max-turns', '--limits.max-total-tokens']],
    ['vf eval gsm8k --taskset.', ['--taskset.id', '--taskset.instruction']],
    ['vf eval gsm8k --harness bash --harness.command-t', ['--harness.command-timeout']],
    ['vf init c', ['config']],
    ['vf export head --to tr', ['trl']],
  ])('%s', async (line, words) => {
    expect((await tab(line)).toSorted()).toEqual(words.toSorted());
  });

  test.each(['vf eval @ n', 'vf eval ./s', 'vf eval --env-file '])(
    '%s: nothing, so that bash offers files',
    async (line) => {
      expect(await tab(line)).toEqual([]);
    },
  );
});

test('runs are completed by their names', async () => {
  const cwd = mkdtempSync(join(folder, 'runs-'));
  await vf(['eval', 'gsm8k', '-n', '1', '--harness', 'oracle', '--run', 'nightly'], { cwd });
  const { stdout } = await vf(['completion', 'words', '--', 'show', ''], { cwd });
  const [last, run] = stdout.split('\n');
  expect(last).toBe('last\tthe newest run');
  expect(run).toMatch(/^nightly\t\d{4}-/);
});

test.each(['bash', 'zsh', 'fish'])('the script for %s asks vf for words', async (shell) => {
  const { code, stdout } = await vf(['completion', shell], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toContain('completion words -- ');
});

test('another shell is refused with those there are', async () => {
  const { code, stderr } = await vf(['completion', 'csh'], { cwd: folder });
  expect(code).toBe(2);
  expect(stderr).toContain('vf completion bash, zsh or fish');
});
