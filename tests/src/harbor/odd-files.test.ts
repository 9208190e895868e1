import { harborTaskset } from '@vf/taskset-harbor';
import { expect, test } from 'vitest';
import { play } from '../run/play.ts';
import { makeTasks } from './make-tasks.ts';

const noModel = { url: 'http://127.0.0.1:9', model: 'nobody' };
const oracle = { 'runtime.id': 'docker', max_concurrent: 4, 'harness.id': 'oracle' };

const toml =
  'artifacts = ["/app"]\n[environment]\ndocker_image = "debian:bookworm"\nworkdir = "/app"\n';
/** As a Python environment has it, and what no folder of this machine should get. */
const solution = `#!/bin/sh
mkdir -p venv/bin && ln -s /usr/bin/python3 venv/bin/python
ln -s /etc/hostname /logs/artifacts/name && mkfifo pipe /logs/artifacts/pipe
`;
const tests = `#!/bin/sh
mkfifo /logs/verifier/pipe
[ "$(readlink /app/venv/bin/python)" = /usr/bin/python3 ] && echo 1 > /logs/verifier/reward.txt
`;
const leaves = (script: string): string => `#!/bin/sh\ncd /logs/verifier && ${script}\n`;

test(
  'links, pipes and devices are graded, and of a broken grader',
  { timeout: 300_000 },
  async () => {
    const path = await makeTasks({
      shared: { toml, solution, tests },
      separate: { toml: `${toml}[verifier]\nenvironment_mode = "separate"\n`, solution, tests },
      'reward-pipe': { toml, solution, tests: leaves('mkfifo reward.txt') },
      'reward-itself': { toml, solution, tests: leaves('ln -s reward.txt reward.txt') },
      'reward-elsewhere': { toml, solution, tests: leaves('ln -s /etc/hostname reward.txt') },
    });
    const played = await play({ taskset: harborTaskset({ path }), model: noModel, config: oracle });
    for (const key of ['shared', 'separate'])
      expect(played.trace(key)).toMatchObject({ reward: 1, errors: [] });
    expect(played.trace('shared').info['artifacts']).toMatchObject({
      kept: expect.arrayContaining(['/app', '/logs/artifacts', '/logs/verifier']) as string[],
      leftOut: expect.arrayContaining([
        'venv/bin/python in /app is a link out of it, to /usr/bin/python3',
        'pipe in /logs/verifier is neither file, folder nor link',
      ]) as string[],
    });
    const codes = { pipe: 'hook_failed', itself: 'hook_failed', elsewhere: 'invalid_score' };
    for (const [key, code] of Object.entries(codes)) {
      const { reward, errors } = played.trace(`reward-${key}`);
      expect([reward, errors.at(-1)?.type]).toEqual([null, `scoring/${code}`]);
    }
  },
);
