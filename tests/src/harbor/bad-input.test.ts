import { setTimeout as sleep } from 'node:timers/promises';
import { harborTaskset } from '@vf/taskset-harbor';
import { say, shellCall, startScriptedModel } from '@vf/testkit';
import Docker from 'dockerode';
import { expect, test } from 'vitest';
import { play } from '../run/play.ts';
import type { Played } from '../run/play.ts';
import { makeTasks, writes } from './make-tasks.ts';

const noModel = { url: 'http://127.0.0.1:9', model: 'nobody' };
const docker = { 'runtime.id': 'docker', max_concurrent: 4 };
const oracle = { ...docker, 'harness.id': 'oracle' };
const limit = 300_000;

const playAll = (path: string, config: Readonly<Record<string, unknown>> = oracle) =>
  play({ taskset: harborTaskset({ path }), model: noModel, config });

const errorOf = (played: Played, key: string) => played.trace(key).errors.at(-1);

/** Containers that this process has made. */
async function containersOfOurs(): Promise<number> {
  const filters = { label: [`vf.maker.pid=${process.pid}`] };
  return (await new Docker().listContainers({ all: true, filters })).length;
}

const image = '[environment]\ndocker_image = "debian:bookworm"\nworkdir = "/app"\n';
const solved = '#!/bin/sh\ntrue\n';
const counted = `#!/bin/sh
reward=1
[ -e /tests/helper.sh ] && reward=-1
grep -q 'plante[d]' /tests/test.sh && reward=-2
printf '%s' "$reward" > /logs/verifier/reward.txt
`;
/** Its output stays open, and it writes a reward until it is ended. */
const daemons = `#!/bin/sh
touch ready.txt
setsid sh -c 'while :; do sleep 1; done' &
nohup sleep 1000 &
(sleep 1000; echo 1 > /logs/verifier/reward.txt) &
`;
const filled = `#!/bin/sh
if printf 1 > /dev/shm/score; then cp /dev/shm/score /logs/verifier/reward.txt
else : > /logs/verifier/reward.txt; fi
`;

test('graders and solutions that do what they should not', { timeout: limit }, async () => {
  const path = await makeTasks({
    'not-a-number': { solution: solved, tests: writes('NaN') },
    'as-text': { solution: solved, tests: writes('passed') },
    'json-text': {
      solution: solved,
      tests: `#!/bin/sh\necho '{"reward": "1"}' > /logs/verifier/reward.json\n`,
    },
    'no-interpreter': { solution: solved, tests: '#!/bin/nothing\n' },
    'windows-lines': { solution: '#!/bin/sh\r\ntouch ready.txt\r\n', tests: counted },
    'leaves-files': {
      solution: `#!/bin/sh
mkdir -p /tests && echo planted > /tests/test.sh && chmod 444 /tests/test.sh
echo 9 > /logs/verifier/reward.txt; echo '{"reward": 9}' > /logs/verifier/reward.json
`,
      tests: counted,
    },
    daemons: {
      solution: daemons,
      tests: '#!/bin/sh\n[ -f ready.txt ] && echo 1 > /logs/verifier/reward.txt\n',
    },
    'full-disk': {
      solution: '#!/bin/sh\ndd if=/dev/zero of=/dev/shm/all bs=1M 2>/dev/null\n',
      tests: filled,
    },
    'zürich 🏔': { solution: solved, tests: writes('0.5') },
    slash: {
      toml: `[task]\nname = "acme/a-slash"\n${image}`,
      solution: solved,
      tests: writes('1'),
    },
    'never-healthy': {
      toml: `${image}healthcheck = { command = "echo ill; exit 1", retries = 2, interval_sec = 0.1 }\n`,
      solution: solved,
      tests: writes('1'),
    },
  });
  const played = await playAll(path);
  const invalid = (message: RegExp) => ({
    type: 'scoring/invalid_score',
    message: expect.stringMatching(message),
  });
  expect(errorOf(played, 'not-a-number')).toMatchObject(invalid(/"NaN", not one finite number/));
  expect(errorOf(played, 'as-text')).toMatchObject(invalid(/"passed", not one finite number/));
  expect(errorOf(played, 'json-text')).toMatchObject(invalid(/at reward, not a finite number/));
  expect(errorOf(played, 'full-disk')).toMatchObject(invalid(/reward.txt is empty/));
  expect(errorOf(played, 'no-interpreter')).toMatchObject({
    type: 'scoring/hook_failed',
    message: expect.stringMatching(/left no reward file[^]*not found/),
  });
  expect(errorOf(played, 'never-healthy')).toMatchObject({
    type: 'taskset/setup_failed',
    phase: 'setup',
    message: expect.stringMatching(/ill/),
  });
  expect(played.trace('slash')).toMatchObject({
    reward: 1,
    task: { data: { name: 'acme/a-slash' } },
  });
  const rewards = Object.fromEntries(
    ['windows-lines', 'leaves-files', 'daemons', 'zürich 🏔'].map((key) => [
      key,
      played.trace(key).reward,
    ]),
  );
  expect(rewards).toEqual({
    'windows-lines': 1,
    'leaves-files': 1,
    daemons: 1,
    'zürich 🏔': 0.5,
  });
  expect(await containersOfOurs()).toBe(0);
});

test(
  'what is wrong with the files is told before anything is played',
  { timeout: limit },
  async () => {
    const path = await makeTasks({
      'no-tests': { solution: solved },
      'crlf-tests': { solution: solved, tests: '#!/bin/bash\r\necho 1\r\n' },
      'no-image': { toml: '[agent]\ntimeout_sec = "long"\n', tests: solved },
    });
    await expect(playAll(path)).rejects.toMatchObject({
      code: 'taskset/load_failed',
      problems: [
        { file: `${path}/crlf-tests/tests/test.sh`, line: 1 },
        { file: `${path}/no-image/task.toml`, line: 2, path: 'agent.timeout_sec' },
        { file: `${path}/no-tests/tests/test.sh`, message: 'the file is missing' },
      ],
    });
  },
);

test('tasks that ask for more cores than there are: refused before anything is played, unless bounded', async () => {
  const toml = (cpus: number) =>
    `[environment]\ndocker_image = "debian:bookworm"\nworkdir = "/app"\ncpus = ${cpus}\n`;
  const path = await makeTasks({
    fits: { toml: toml(1), solution: solved, tests: writes('1') },
    large: { toml: toml(500), solution: solved, tests: writes('1') },
    larger: { toml: toml(501), solution: solved, tests: writes('1') },
  });
  await expect(playAll(path)).rejects.toMatchObject({
    code: 'misfit/plan',
    problems: [
      { message: 'task large asks for 500 cores' },
      { message: 'task larger asks for 501 cores' },
    ],
  });
  const played = await playAll(path, { ...oracle, 'runtime.max_cpu': 1 });
  expect(['fits', 'large', 'larger'].map((key) => played.trace(key).reward)).toEqual([1, 1, 1]);
});

test(
  'images that cannot be had: the same words for all who share one',
  { timeout: limit },
  async () => {
    const broken = 'FROM debian:bookworm\nRUN echo the disk is on fire && exit 7\n';
    const shared = { toml: '', solution: solved, tests: counted };
    const path = await makeTasks({
      a: { ...shared, files: { 'environment/Dockerfile': broken } },
      b: { ...shared, files: { 'environment/Dockerfile': broken } },
      gone: {
        toml: '[environment]\ndocker_image = "vf-nowhere.invalid/none:1"\n',
        solution: solved,
        tests: counted,
      },
    });
    const played = await playAll(path, { ...oracle, 'retries.max_retries': 0 });
    expect(errorOf(played, 'a')).toMatchObject({
      type: expect.stringMatching(/^runtime\//),
      message: expect.stringMatching(/cannot be built[^]*the disk is on fire[^]*7/),
    });
    expect(errorOf(played, 'b')?.message).toBe(errorOf(played, 'a')?.message);
    expect(errorOf(played, 'gone')).toMatchObject({
      type: expect.stringMatching(/^runtime\//),
      message: expect.stringContaining('vf-nowhere.invalid/none:1'),
    });
  },
);

test('an agent that deletes its own settings is graded', { timeout: limit }, async () => {
  const tests =
    '#!/bin/sh\nif [ -f done.txt ]; then r=1; else r=0; fi; echo $r > /logs/verifier/reward.txt\n';
  const path = await makeTasks({ task: { solution: solved, tests } });
  await using model = await startScriptedModel({
    script: ({ tools, turn }) => {
      const command = 'find /opt/vf/home -mindepth 1 -delete; echo yes > done.txt';
      return (turn === 0 ? shellCall(tools, command) : null) ?? say('Done.');
    },
  });
  const config = { ...docker, 'harness.id': 'codex' };
  const played = await play({ taskset: harborTaskset({ path }), model, config });
  expect(played.trace('task')).toMatchObject({ reward: 1 });
  expect(await containersOfOurs()).toBe(0);
});

/** Lets the main program end well, and leaves these behind. */
const misdeeds: Readonly<Record<string, string>> = {
  daemons: `setsid sh -c 'while :; do sleep 1; done' & (sleep 1000; echo 9 > /logs/verifier/reward.txt) & nohup sleep 1000 &`,
  reward: `echo 9 > /logs/verifier/reward.txt; echo '{"reward": 9}' > /logs/verifier/reward.json`,
  tests: `mkdir -p /tests; echo 'echo 9 > /logs/verifier/reward.txt' > /tests/test.sh; chmod 444 /tests/test.sh`,
  memory: 'dd if=/dev/zero of=/dev/shm/all bs=1M 2>/dev/null',
};

test('whatever an agent leaves, its work alone is graded', { timeout: limit }, async () => {
  const tests = `#!/bin/sh\n[ -f done.txt ] && echo 0.5 > /logs/verifier/reward.txt\n`;
  const tasks = Object.entries(misdeeds).map(([name, command]) => {
    const instruction = `${command}\necho yes > done.txt`;
    return [name, { tests, files: { 'instruction.md': instruction } }] as const;
  });
  await using model = await startScriptedModel({
    script: ({ tools, turn, messages }) => {
      const asked = JSON.stringify(messages);
      const command = Object.values(misdeeds).find((one) =>
        asked.includes(JSON.stringify(one).slice(1, -1)),
      );
      if (command === undefined) return say('What task?');
      const full = `${command}\necho yes > done.txt`;
      return (turn === 0 ? shellCall(tools, full) : null) ?? say('Done.');
    },
  });
  const config = { ...docker, 'harness.id': 'codex' };
  const path = await makeTasks(Object.fromEntries(tasks));
  const played = await play({ taskset: harborTaskset({ path }), model, config });
  const rewards = Object.keys(misdeeds).map((key) => [key, played.trace(key).reward]);
  expect(Object.fromEntries(rewards)).toEqual({
    daemons: 0.5,
    reward: 0.5,
    tests: 0.5,
    memory: 0.5,
  });
  expect(await containersOfOurs()).toBe(0);
});

test(
  'a disk that is filled in a box is no 0, and wins no new try',
  { timeout: limit },
  async () => {
    const filling = (folder: string) => ({
      solution: `#!/bin/sh\ndd if=/dev/zero of=/${folder}/big bs=64k 2>/dev/null\n`,
      tests: writes('1'),
      files: {
        'environment/docker-compose.yaml': `
services: { main: { volumes: ["small:/${folder}"] } }
volumes: { small: { driver_opts: { type: tmpfs, device: tmpfs, o: size=2m } } }
`,
      },
    });
    const path = await makeTasks({ logs: filling('logs'), tests: filling('tests') });
    const played = await playAll(path, { ...oracle, 'runtime.trust_compose': true });
    for (const key of ['logs', 'tests']) {
      const { reward, errors, info } = played.trace(key);
      expect({ reward, retries: info['retries'] }).toEqual({ reward: null, retries: undefined });
      expect(errors).toMatchObject([
        { type: 'runtime/disk_full', message: expect.stringContaining('no space left on device') },
      ]);
    }
  },
);

test(
  'a box that is killed in the middle is no failure of the task',
  { timeout: limit },
  async () => {
    const solution = '#!/bin/sh\nsleep 300\n';
    const path = await makeTasks({ task: { solution, tests: counted } });
    const killed = (async () => {
      const engine = new Docker();
      const filters = { label: [`vf.maker.pid=${process.pid}`], status: ['running'] };
      for (;;) {
        for (const { Id } of await engine.listContainers({ filters })) {
          const { Titles, Processes } = await engine.getContainer(Id).top();
          const commands = Processes.map((row: string[]) => row[Titles.indexOf('CMD')] ?? '');
          if (!commands.some((command: string) => command.includes('sleep 300'))) continue;
          await engine.getContainer(Id).kill();
          return;
        }
        await sleep(100);
      }
    })();
    const played = await playAll(path, { ...oracle, 'retries.max_retries': 0 });
    await killed;
    expect(errorOf(played, 'task')?.type).toMatch(/^runtime\//);
    expect(played.trace('task').reward).toBeNull();
  },
);
