import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gradePrepared, isUngraded, prepareGrading } from '../src/grade/grade-step.ts';
import { reward } from '../src/grade/reward.ts';
import { setUp } from '../src/play/begin.ts';
import { nextStep } from '../src/play/next-step.ts';
import { solve } from '../src/play/solve.ts';
import { ScriptedBox } from './scripted-box.ts';
import { changed, fixtures, graded, playOf } from './stage.ts';

test('one step: folders, tests as they are, reward.json before reward.txt', async () => {
  const box = graded({ 'reward.txt': '0.125', 'reward.json': '{"reward": 0.5, "style": true}' });
  const { ctx, kept } = await playOf(join(fixtures, 'json-reward'), { box, secrets: {} });
  box.files.set('/logs/verifier/reward.json', '{"reward": 1}');
  expect(await setUp(ctx)).toEqual({});
  expect(await nextStep(ctx)).toBeNull();
  await prepareGrading(ctx);
  expect(await reward(ctx, 'reward')).toBe(0.5);
  expect(ctx.trace.metrics).toEqual({ style: 1 });
  expect(ctx.trace.info['harbor']).toEqual({
    rewards: { reward: 0.5, style: 1 },
    verifier: { exit_code: 1, output: '' },
  });
  expect(kept).toEqual([
    'own: /logs/verifier at /logs/verifier',
    'own: /logs/artifacts at /logs/artifacts',
  ]);
  expect(box.uploads).toEqual([[join(fixtures, 'json-reward/tests'), '/tests']]);
  const ran = box.runs.find(({ command }) => command.startsWith('(/tests/test.sh)'));
  expect(ran?.options).toMatchObject({
    user: 'root',
    env: { EXPECTED_TOTAL: '7', EXPECTED_DISTINCT: '4' },
  });
  const hook = box.runs.find(({ command }) => command.includes('summary.snapshot'));
  expect(hook?.options).toMatchObject({ user: 'root', timeoutMs: 10_000 });
});

test('what was left before the tests ran is no grade', async () => {
  const box = new ScriptedBox(() => ({}));
  const { ctx } = await playOf(join(fixtures, 'hello-file'), { box });
  box.files.set('/logs/verifier/reward.json', '{"reward": 1}');
  box.files.set('/logs/verifier/reward.txt', '1');
  await expect(gradePrepared(ctx)).rejects.toMatchObject({
    code: 'scoring/hook_failed',
    message: expect.stringContaining('vf-fixtures/hello-file: the verifier left no reward file'),
  });
});

test('a task that is edited while it is played gets no score', async () => {
  const dir = await changed('hello-file', {});
  const box = graded({ 'reward.txt': '1' });
  const { ctx } = await playOf(dir, { box });
  await setUp(ctx);
  await appendFile(join(dir, 'tests/test.sh'), 'echo 1 > /logs/verifier/reward.txt\n');
  const told = { message: expect.stringContaining('task t has changed since it was loaded') };
  await expect(gradePrepared(ctx)).rejects.toMatchObject({ code: 'taskset/hook_failed', ...told });
  expect(box.runs.some(({ command }) => command.startsWith('(/tests/test.sh)'))).toBe(false);
  const later = await playOf(dir, { box });
  await appendFile(join(dir, 'instruction.md'), 'More.\n');
  await expect(setUp(later.ctx)).rejects.toMatchObject({ code: 'taskset/setup_failed', ...told });
});

test('a box in which nothing of ours can be done', async () => {
  const box = new ScriptedBox(() => ({ exitCode: 1, stderr: 'read-only file system' }));
  const { ctx } = await playOf(join(fixtures, 'hello-file'), { box });
  await expect(setUp(ctx)).rejects.toThrow(/^sh -c mkdir[^]*read-only/);
});

test('the last words of a grader without a grade', async () => {
  const box = new ScriptedBox(({ command }) => {
    if (command.startsWith('tail')) return { stdout: 'sh: pytest: not found\n' };
    return { exitCode: command.startsWith('(') ? 127 : 0 };
  });
  const { ctx } = await playOf(join(fixtures, 'hello-file'), { box });
  await expect(gradePrepared(ctx)).rejects.toThrow(/exited 127[^]*pytest: not found/);
});

test('a reward file over 1 MiB, and one without the key that is asked for', async () => {
  const big = graded({ 'reward.json': ' '.repeat(2_000_000) });
  const first = await playOf(join(fixtures, 'hello-file'), { box: big });
  await expect(gradePrepared(first.ctx)).rejects.toMatchObject({ code: 'scoring/invalid_score' });
  const other = graded({ 'reward.json': '{"style": 1}' });
  const second = await playOf(join(fixtures, 'hello-file'), { box: other });
  await expect(reward(second.ctx, 'reward')).rejects.toMatchObject({
    message: expect.stringMatching(/only style, no reward; .*--taskset\.reward-key$/),
    hint: '--taskset.reward-key style',
  });
  const third = await playOf(join(fixtures, 'hello-file'), {
    box: graded({ 'reward.json': '{"style": 1}' }),
  });
  expect(await reward(third.ctx, 'style')).toBe(1);
});

test('two steps: gate, limits, tests overlaid in emptied folders, mean', async () => {
  const box = graded({ 'reward.txt': '1' }, { 'reward.json': '{"reward": 1, "count_ok": 1}' });
  const dir = join(fixtures, 'two-steps');
  const { ctx } = await playOf(dir, { box });
  expect(await setUp(ctx)).toEqual({ turnTimeout: 60_000 });
  expect(await nextStep(ctx)).toMatchObject({
    prompt: expect.stringMatching(/^The list from the previous step/),
    session: 'fresh',
    timeouts: { agent: 90_000 },
  });
  expect(box.runs.some(({ command }) => command.endsWith('/app/setup.sh'))).toBe(true);
  expect(isUngraded(ctx)).toBe(true);
  expect(await nextStep(ctx)).toBeNull();
  expect(isUngraded(ctx)).toBe(false);
  expect(await reward(ctx, 'reward')).toBe(1);
  expect(ctx.trace.metrics).toEqual({ count_ok: 0.5 });
  expect(box.uploads.map(([from, to]) => [from.slice(dir.length), to])).toEqual([
    ['/tests', '/tests'],
    ['/steps/draft/tests', '/tests'],
    ['/steps/finish/workdir', '/app'],
    ['/tests', '/tests'],
    ['/steps/finish/tests', '/tests'],
  ]);
  const cleared = box.runs.filter(({ command }) =>
    command.startsWith('rm -rf /tests /logs/verifier &&'),
  );
  expect(cleared).toHaveLength(2);
  expect(box.policies).toEqual([]);
});

test('a gate that is missed ends the task with the steps so far', async () => {
  const { ctx } = await playOf(join(fixtures, 'two-steps'), {
    box: graded({ 'reward.txt': '0.5' }),
  });
  await setUp(ctx);
  expect(await nextStep(ctx)).toBeNull();
  expect(await reward(ctx, 'reward')).toBe(0.5);
});

test('a step that cannot begin ends the task with the steps so far', async () => {
  const box = new ScriptedBox(({ command }, self) => {
    if (command.startsWith('(')) self.files.set('/logs/verifier/reward.txt', '1');
    return { exitCode: command.endsWith('/app/setup.sh') ? 3 : 0, stderr: 'no space' };
  });
  const { ctx } = await playOf(join(fixtures, 'two-steps'), { box });
  await setUp(ctx);
  expect(await nextStep(ctx)).toBeNull();
  expect(isUngraded(ctx)).toBe(false);
  expect(await reward(ctx, 'reward')).toBe(1);
  expect(ctx.trace.info['harbor']).toMatchObject({
    aborted: expect.stringMatching(/exited 3[^]*no space/),
  });
});

test('a step whose agent was cut short is graded in the end', async () => {
  const { ctx } = await playOf(join(fixtures, 'two-steps'), {
    box: graded({ 'reward.txt': '0.25' }),
  });
  await setUp(ctx);
  expect(await reward(ctx, 'reward')).toBe(0.25);
});

test('the verifier of a step has its own time', async () => {
  const toml = '[[steps]]\nname = "draft"\n[steps.verifier]\ntimeout_sec = 0.02\n';
  const dir = await changed('two-steps', { 'task.toml': toml });
  const box = new ScriptedBox(({ command, options }) => {
    if (!command.startsWith('(')) return {};
    return new Promise((_resolve, reject) => {
      options.signal?.addEventListener('abort', () => reject(new Error('ended')));
    });
  });
  const { ctx } = await playOf(dir, { box });
  await expect(nextStep(ctx)).rejects.toMatchObject({ code: 'scoring/timeout' });
});

test('the network of agent and verifier, changed only where it differs', async () => {
  const toml = `
    agent.network_mode = "no-network"
    verifier.network_mode = "public"
  `;
  const dir = await changed('hello-file', { 'task.toml': toml });
  const box = graded({ 'reward.txt': '1' });
  const { ctx } = await playOf(dir, { box });
  await setUp(ctx);
  expect(box.policies).toEqual([{ mode: 'no-network' }]);
  await reward(ctx, 'reward');
  expect(box.policies).toEqual([{ mode: 'no-network' }, { mode: 'public' }]);
});

test('a variable that the verifier needs is told by its table', async () => {
  const toml = 'verifier.env = { KEY = "${JUDGE_KEY}" }';
  const dir = await changed('hello-file', { 'task.toml': toml });
  const { ctx } = await playOf(dir, { box: graded({ 'reward.txt': '1' }) });
  await expect(reward(ctx, 'reward')).rejects.toMatchObject({
    message: 'task t: verifier.env.KEY needs JUDGE_KEY, which is not set',
    hint: 'export JUDGE_KEY=…',
  });
});

test('a verifier of its own gets the artifacts, its own settings, and is freed', async () => {
  const toml = `
    artifacts = ["/app/hello.txt", "/gone.txt"]
    agent.user = "clerk"
    environment.workdir = "/app"
    [verifier]
    environment_mode = "separate"
    [verifier.environment]
    docker_image = "grader:1"
    memory_mb = 256
    network_mode = "no-network"
    env = { K = "\${K}" }
  `;
  const dir = await changed('hello-file', { 'task.toml': toml });
  const box = new ScriptedBox(() => ({}));
  box.files.set('/app/hello.txt', 'ship it');
  const second = graded({ 'reward.txt': '1' });
  const { ctx, opened, warnings } = await playOf(dir, { box, second, secrets: { K: 'k' } });
  await prepareGrading(ctx);
  expect(opened).toEqual([
    {
      image: 'grader:1',
      env: { K: 'k' },
      resources: { memoryMb: 256 },
      network: { mode: 'no-network' },
    },
  ]);
  expect(second.files.get('/app/hello.txt')).toBe('ship it');
  expect(warnings).toEqual(['an artifact is not there', 'an artifact is not there']);
  expect(await reward(ctx, 'reward')).toBe(1);
  expect(second.uploads.map(([, to]) => to)).toEqual([]);
  expect(second.stopped).toBe(1);
  expect(box.policies).toEqual([]);
});

test('an artifact that would pass for a part of the tests', async () => {
  const toml = 'artifacts = ["/tests/x"]\nverifier.environment_mode = "separate"';
  const dir = await changed('hello-file', { 'task.toml': toml });
  const around = { box: new ScriptedBox(() => ({ exitCode: 1 })), second: graded() };
  const { ctx } = await playOf(dir, around);
  await expect(prepareGrading(ctx)).rejects.toThrow('/tests/x would pass');
});

test('the solution of the step that is played, and a task without one', async () => {
  const box = graded({ 'reward.txt': '1' });
  const { ctx, warnings } = await playOf(join(fixtures, 'two-steps'), { box });
  await setUp(ctx);
  await solve(ctx);
  await nextStep(ctx);
  await solve(ctx);
  const from = box.uploads.filter(([, to]) => to === '/solution').map(([path]) => path);
  expect(from).toEqual(
    ['draft', 'finish'].map((step) => join(fixtures, 'two-steps/steps', step, 'solution')),
  );
  const solved = box.runs.filter(({ command }) => command.startsWith('(/solution/solve.sh)'));
  expect(solved[0]?.options.env).toEqual({ DEBIAN_FRONTEND: 'noninteractive' });
  expect(warnings).toEqual([]);

  const dir = await changed('hello-file', {});
  await rm(join(dir, 'solution'), { recursive: true });
  const without = await playOf(dir, { box });
  await expect(solve(without.ctx)).rejects.toMatchObject({
    hint: `write ${join(dir, 'solution')}/solve.sh`,
  });
});

test('keys that mean nothing are noted', async () => {
  const dir = await changed('hello-file', { 'task.toml': '[verifier]\nartifacts = ["/late"]' });
  const { ctx, warnings } = await playOf(dir, { box: graded() });
  await setUp(ctx);
  expect(warnings).toEqual(['task.toml has keys that mean nothing to Harbor']);
});

test('the skills of a folder in the image, and a folder without any', async () => {
  const dir = await changed('hello-file', { 'task.toml': 'environment.skills_dir = "/skills"' });
  const box = new ScriptedBox(({ command }) => ({
    stdout: command.includes('SKILL.md') ? '/skills/a\n/skills/b c\n' : '',
  }));
  const { ctx } = await playOf(dir, { box });
  expect(await setUp(ctx)).toEqual({
    skills: [
      { name: 'a', path: '/skills/a' },
      { name: 'b c', path: '/skills/b c' },
    ],
  });
  const empty = await playOf(dir, { box: new ScriptedBox(() => ({})) });
  await expect(setUp(empty.ctx)).rejects.toThrow('no skill in /skills');
});
