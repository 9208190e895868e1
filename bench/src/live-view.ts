import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerSums, hang, startScriptedModel } from '@vf/testkit';
import { cpuOf } from './start-up/cost.ts';

/**
 * What the live view costs: of 5,000 rollouts all but 64 are done and those wait on their model, so painting is all
 * that is left to do. Beside it the same run with nothing on the screen.
 */
const rollouts = 5000;
const waiting = 64;
const seconds = 10;
const limit = 0.01;
const root = resolve(import.meta.dirname, '../..');

async function shareOfProcessor(display: 'live' | 'quiet', dir: string): Promise<number> {
  const answer = answerSums();
  let asked = 0;
  const reached = Promise.withResolvers<void>();
  await using model = await startScriptedModel({
    record: false,
    script: (request) => {
      asked++;
      if (asked === rollouts) reached.resolve();
      return asked > rollouts - waiting ? [hang()] : answer(request);
    },
  });
  const args = [
    '--conditions=@vf/source',
    join(root, 'apps/eval/bin/vf.js'),
    'eval',
    join(root, 'examples/addition/addition.ts'),
    '--taskset.count',
    String(rollouts / 4),
    '-r',
    '4',
    '-c',
    String(waiting),
    '-m',
    'scripted',
    '--base-url',
    `${model.url}/v1`,
    '--run',
    display,
    '--yes',
  ];
  const child = spawn(process.execPath, args, {
    cwd: dir,
    env: { ...process.env, VF_DISPLAY: display },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await reached.promise;
  await sleep(2000);
  const before = cpuOf(child.pid ?? 0);
  await sleep(seconds * 1000);
  const share = (cpuOf(child.pid ?? 0) - before) / (seconds * 1000);
  child.kill('SIGKILL');
  await ended;
  return share;
}

const dir = await mkdtemp(join(tmpdir(), 'vf-bench-'));
const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
const live = await shareOfProcessor('live', dir);
const quiet = await shareOfProcessor('quiet', dir);
console.log(
  `${rollouts} rollouts, ${waiting} under way, ${seconds} s: live ${percent(live)} of a processor, quiet ${percent(quiet)}; the view takes ${percent(live - quiet)} (at most ${percent(limit)})`,
);
await rm(dir, { recursive: true, force: true });
