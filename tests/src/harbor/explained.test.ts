import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { harborTaskset } from '@vf/taskset-harbor';
import { expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { makeTasks } from './make-tasks.ts';

const limit = 300_000;
const bin = resolve(import.meta.dirname, '../../../apps/eval/bin/vf.js');
const config = {
  'runtime.id': 'docker',
  'harness.id': 'oracle',
  'retries.max_retries': 0,
  max_concurrent: 4,
};
const noModel = { url: 'http://127.0.0.1:9', model: 'nobody' };
const grader = (end: string): string => `#!/bin/sh
echo 'expected 7, got 6' >&2
printf '{"failed": 1}' > /logs/verifier/ctrf.json
mkdir -p /logs/artifacts && echo seen > /logs/artifacts/seen.txt
${end}
`;

async function shown(dir: string, task: string): Promise<string> {
  const argv = ['--conditions=@vf/source', bin, 'show', dir, task];
  return (await promisify(execFile)(process.execPath, argv)).stdout;
}

test(
  'a 0, a grader without a grade and one that hangs are explained by what was printed and left',
  { timeout: limit },
  async () => {
    const solution =
      '#!/bin/sh\nmkdir -p /logs/artifacts; echo mine > /logs/artifacts/own.txt\necho wrote 6; exit 3\n';
    const path = await makeTasks({
      zero: { solution, tests: grader('echo 0 > /logs/verifier/reward.txt; exit 4') },
      none: { solution, tests: grader('exit 5') },
      hangs: {
        solution,
        tests: grader('sleep 300'),
        toml: '[environment]\ndocker_image = "debian:bookworm"\nworkdir = "/app"\n[verifier]\ntimeout_sec = 8\n',
      },
    });
    const { dir, trace, episodes } = await play({
      taskset: harborTaskset({ path }),
      model: noModel,
      config,
    });
    const said = (exit: number | null) => ({
      solution: { exit_code: 3, output: 'wrote 6' },
      verifier: { exit_code: exit, output: 'expected 7, got 6' },
    });
    expect(trace('zero')).toMatchObject({ reward: 0, info: { harbor: said(4) } });
    expect(trace('none')).toMatchObject({ reward: null, info: { harbor: said(5) } });
    expect(trace('hangs')).toMatchObject({
      reward: null,
      errors: [{ type: 'scoring/timeout' }],
      info: { harbor: said(null) },
    });
    for (const key of ['zero', 'none']) {
      const episode = episodes.find(({ task }) => task.key === key)?.id ?? '';
      const logs = join(dir, 'artifacts', episode, trace(key).id, 'logs');
      const read = (file: string): string => readFileSync(join(logs, file), 'utf8').trim();
      expect(read('verifier/ctrf.json')).toBe('{"failed": 1}');
      expect(read('verifier/test-stdout.txt')).toBe('expected 7, got 6');
      expect(read('artifacts/own.txt')).toBe('mine');
      expect(read('artifacts/seen.txt')).toBe('seen');
    }
    const text = await shown(dir, 'zero:1');
    expect(text).toMatch(/log +\S+\.log\n +kept +\S+ +\/logs\/artifacts, \/logs\/verifier\n/);
    expect(text).toContain('harbor.verifier   exit_code 4   output expected 7, got 6');
  },
);
