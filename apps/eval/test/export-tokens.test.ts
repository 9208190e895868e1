import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Trace } from '@vf/core';
import { RunWriter } from '@vf/store';
import { makeEpisode, makeTokenTrace, makeTrace } from '@vf/testkit';
import { beforeAll, expect, test, vi } from 'vitest';
import { emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

const cwd = emptyFolder();
const secret = 'sk-very-secret-4711';

/** Three attempts at one task: with tokens, relayed as text, and with tokens of a prompt that holds a secret. */
beforeAll(async () => {
  const dir = join(cwd, 'outputs', 'trained');
  const plan = { v: 1, run: { id: 'trained', name: null }, tasks: { 'sum-1': '0'.repeat(64) } };
  const configToml = 'model = "m"\nclient.api_key_var = "MY_KEY"\n';
  const writer = await RunWriter.create({ dir, runId: 'trained', name: null, configToml, plan });
  const told = makeTokenTrace({ id: 'told', nodes, task: { data: { prompt: `use ${secret}` } } });
  const traces: Trace[] = [
    makeTokenTrace({ id: 'exact', nodes, rewards: { correct: 0 } }),
    makeTrace({ id: 'relayed' }),
    told,
  ];
  for (const [index, trace] of traces.entries()) {
    const attempt = index + 1;
    await writer.append({ ...makeEpisode({ attempt }), id: `episode-${attempt}`, traces: [trace] });
  }
  await writer.close();
});

const nodes = [
  [null, 'u', 0, [1, 2], '00'],
  [0, 'a', 1, [3, 4], '01'],
] as const;

const trl = resolve(import.meta.dirname, '../../../plugins/export/trl/src/index.ts');

test('what has tokens is written, what has none is named with its reason', async () => {
  const to = ['export', 'trained', '--to', trl, '-o', 'samples.jsonl'];
  const { code, stderr } = await vf(to, { cwd, env: { MY_KEY: secret } });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('samples.jsonl: 2 samples of 3 episodes of trained');
  expect(stderr).toContain(
    '1  replies have no token ids (1 of 1, scripted gave text alone), as sum-1:2',
  );
  expect(stderr).toContain('masked 1 value of a secret in 1 episode');
  expect(stderr).toContain('token ids of 1 of them still spell what was masked');
  const rows = readFileSync(join(cwd, 'samples.jsonl'), 'utf8').trimEnd().split('\n');
  expect(rows.map((row): unknown => JSON.parse(row))).toMatchObject([
    {
      trace: 'exact',
      attempt: 1,
      prompt_ids: [1, 2, 3],
      completion_ids: [4],
      reward: 0,
      group: 'sum-1',
    },
    { trace: 'told', attempt: 3, completion_ids: [4], reward: 1, group: 'sum-1' },
  ]);
  const left = JSON.parse(readFileSync(join(cwd, 'samples.diagnostics.jsonl'), 'utf8')) as unknown;
  expect(left).toMatchObject({ episode: 'episode-2', trace: 'relayed', task: 'sum-1', attempt: 2 });
});

test('where nothing has tokens, the reason is told once, with the first that lack them', async () => {
  const dir = join(cwd, 'outputs', 'relayed');
  const plan = { v: 1, run: { id: 'relayed', name: null }, tasks: { 'sum-1': '0'.repeat(64) } };
  const writer = await RunWriter.create({
    dir,
    runId: 'relayed',
    name: null,
    configToml: '',
    plan,
  });
  for (const attempt of [1, 2, 3, 4, 5]) {
    const traces = [makeTrace({ id: `plain-${attempt}` })];
    await writer.append({ ...makeEpisode({ attempt }), id: `plain-${attempt}`, traces });
  }
  await writer.close();
  const { code, stderr } = await vf(['export', 'relayed', '--to', trl, '-o', 'no.jsonl'], { cwd });
  expect(code).toBe(2);
  expect(stderr.match(/have no token ids/g)).toHaveLength(2);
  expect(stderr).toMatch(/^ {2}sum-1:1, sum-1:2, sum-1:3 and 2 more {2}replies have no token ids/m);
  expect(stderr).toContain('client.type = "train"');
});

test('options are asked for where they would help', async () => {
  const to = ['--to', 'hessian', '-o', 'none.jsonl'];
  const { code, stderr } = await vf(['export', 'relayed', ...to], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^vf: nothing of relayed can be written for hessian: replies have no token ids, in none of 5 episodes\n {2}fix: exact tokens come from an engine.*\[store\/not_exportable\]\n$/,
  );
  const asked = await vf(['export', 'trained', ...to], { cwd });
  expect(asked.code).toBe(2);
  expect(asked.stderr).toMatch(/export\.model_revision .*is missing[^]*\[config\/invalid\]/);
});

test.each(['trl', 'verl', 'agent-lightning'])(
  'a wrong option of %s is told where something could be written',
  async (to) => {
    const typed = ['--to', to, '-o', 'none.jsonl', '--export.mask', '1'];
    const none = await vf(['export', 'relayed', ...typed], { cwd });
    expect(none).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /have no token ids, in none of 5 episodes\n.*\[store\/not_exportable\]/,
      ) as string,
    });
    const some = await vf(['export', 'trained', ...typed], { cwd });
    expect(some).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`export ${to} has no such option`) as string,
    });
    expect(readdirSync(cwd)).not.toContain('none.jsonl');
  },
);

test('a key that the run used and that is not set here is named', async () => {
  const to = ['export', 'trained', '--to', 'verifiers', '-o', 'plain.jsonl'];
  const { stderr } = await vf(to, { cwd });
  expect(stderr).toContain('MY_KEY is not set here, so its value could not be looked for');
});

test('a file for hessian passes its check', async () => {
  const commit = '3f0c2a9d4e5b6c7d8e9f00112233445566778899';
  const options = {
    model_revision: commit,
    tokenizer_revision: commit,
    chat_template_sha256: '0f'.repeat(32),
    harness_version: '1.0.0',
    harness_revision: commit,
    scorer_revision: '1',
    seed: 0,
  };
  writeFileSync(join(cwd, 'policy.json'), JSON.stringify({ export: options }));
  const to = ['export', 'trained', '--to', 'hessian', '-o', 'train.jsonl', '@', 'policy.json'];
  const written = await vf([...to, '--json'], { cwd });
  expect(JSON.parse(written.stdout)).toMatchObject({ written: 2, omitted: { total: 1 } });
  const checked = await vf(['validate-trajectories', 'train.jsonl'], { cwd });
  expect(checked).toMatchObject({
    code: 0,
    stdout: 'train.jsonl: 2 episodes keep hessian.trajectory.v1\n',
  });
  for (const [option, value, words] of [
    ['model-revision', 'main', '"main" is a name that moves; give a commit or a digest'],
    ['tokenizer-revision', 'Latest', '"Latest" is a name that moves'],
    ['harness-revision', 'HEAD', '"HEAD" is a name that moves'],
    ['scorer-revision', ' ', 'must be text that is not empty'],
    ['chat-template-sha256', 'abc', 'must be the 64 hex digits of a SHA-256'],
  ] as const) {
    const refused = await vf([...to, `--export.${option}`, value], { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `export.${option.replaceAll('-', '_')}  export hessian: ${words}`,
    );
    expect(refused.stderr).toContain('[config/invalid]');
    expect(refused.stderr).not.toContain('episode');
  }
  expect(readFileSync(join(cwd, 'train.jsonl'), 'utf8').split('\n')).toHaveLength(3);
});

test('a file that is for others is told in a line', async () => {
  await vf(['export', 'trained', '--to', trl, '-o', 'other.jsonl'], { cwd });
  expect(await vf(['validate-trajectories', 'other.jsonl'], { cwd })).toMatchObject({
    code: 5,
    stdout:
      'other.jsonl: no hessian file: none of its 2 lines has schema_version "hessian.trajectory.v1"\n',
  });
});

test.each([
  ['--json', '--branch', '1'],
  ['--raw', '--call', '1'],
  ['--raw', '--branch', '1'],
])('vf show refuses %s with %s %s, which it would not heed', async (whole, part, value) => {
  const { code, stderr, stdout } = await vf(['show', 'trained', 'sum-1:1', whole, part, value], {
    cwd,
  });
  expect(code).toBe(2);
  const told = stdout + stderr;
  expect(told).toContain(`${whole} prints the whole episode; ${part} picks a part`);
  expect(told).toContain(`vf show trained sum-1:1 ${part} ${value} --full`);
});

test('vf show gives one call as a document, with the tokens of its prompt and reply', async () => {
  const show = (...args: readonly string[]) => vf(['show', 'trained', ...args, '--json'], { cwd });
  const { stdout } = await show('sum-1:1', '--call', '1');
  expect(JSON.parse(stdout)).toMatchObject({
    v: 1,
    run: 'trained',
    episode: 'episode-1',
    attempt: 1,
    trace: 'exact',
    call: {
      number: 1,
      node: 1,
      attempt: 1,
      requested_model: 'scripted',
      first_byte: 1_700_000_000,
    },
    nodes: [
      { index: 0, message: { role: 'user' }, token_ids: [1, 2] },
      { index: 1, parent: 0, token_ids: [3, 4], logprobs: [-0.5] },
    ],
  });
  expect(JSON.parse((await show('sum-1:2', '--call', '1')).stdout)).toMatchObject({
    trace: 'relayed',
    nodes: [{ index: 0 }, { index: 1, sampled: true }],
  });
  const none = await show('sum-1:1', '--call', '2');
  expect(none).toMatchObject({ code: 2, stdout: expect.stringMatching(/"usage\/not_found"/) });
});

test('vf show counts the ids and logprobs of each turn, and lists those of a call', async () => {
  const { stdout } = await vf(['show', 'trained', 'sum-1:1'], { cwd });
  expect(stdout).toMatch(/exact +1 of 1 turns +1 sampled +1 logprobs +--call N shows .*--json all/);
  expect(stdout).toContain('ids 3 + 1, logprobs 1');
  const relayed = await vf(['show', 'trained', 'sum-1:2'], { cwd });
  expect(relayed.stdout).not.toMatch(/exact|logprobs/);
  const call = await vf(['show', 'trained', 'sum-1:1', '--call', '1'], { cwd });
  expect(call.stdout).toMatch(
    /prompt +1 2 3\n +sampled +4\n +logprobs +-0\.5000 +\(rounded to 4 decimals\)/,
  );
  const json = await vf(['show', 'trained', 'sum-1:1', '--json'], { cwd });
  expect(JSON.parse(json.stdout)).toMatchObject({
    record: {
      traces: [{ nodes: [{ token_ids: [1, 2] }, { token_ids: [3, 4], logprobs: [-0.5] }] }],
    },
  });
});

/** An update of the weights fell into its reply, as an engine tells it. */
function updated(trace: Trace): Trace {
  const weights = [
    { version: 'step-1', start: 0, end: 1 },
    { version: 'step-2', start: 1, end: 3 },
  ];
  for (const [at, call] of trace.calls.entries()) trace.calls[at] = { ...call, weights };
  return trace;
}

test('vf show names the versions of the weights that sampled a rollout, and a call', async () => {
  const dir = join(cwd, 'outputs', 'updated');
  const plan = { v: 1, run: { id: 'updated', name: null }, tasks: { 'sum-1': '0'.repeat(64) } };
  const writer = await RunWriter.create({
    dir,
    runId: 'updated',
    name: null,
    configToml: '',
    plan,
  });
  await writer.append({ ...makeEpisode({}), traces: [updated(makeTokenTrace({ nodes }))] });
  await writer.close();
  const { stdout } = await vf(['show', 'updated', 'sum-1:1'], { cwd });
  expect(stdout).toMatch(/exact .* 1 logprobs +weights step-1, step-2 +--call/);
  const call = await vf(['show', 'updated', 'sum-1:1', '--call', '1'], { cwd });
  expect(call.stdout).toMatch(/^ +weights +step-1 \(1\), step-2 \(2\) of the sampled ids$/m);
});

test('rows stand by task as planned, then by attempt; a group that lacks attempts is told', async () => {
  const dir = join(cwd, 'outputs', 'mixed');
  const hash = '0'.repeat(64);
  const planned = { tasks: 2, attempts: 2, rollouts: 4 };
  const plan = {
    v: 1,
    run: { id: 'mixed', name: null },
    about: { taskset: 'sums', models: ['m'], harnesses: [], runtimes: ['subprocess'], planned },
    tasks: { second: hash, first: hash },
  };
  const writer = await RunWriter.create({ dir, runId: 'mixed', name: null, configToml: '', plan });
  const ended = [
    ['first', 2],
    ['second', 2],
    ['first', 1],
  ] as const;
  for (const [key, attempt] of ended) {
    const id = `${key}-${attempt}`;
    const traces = [makeTokenTrace({ id, nodes, task: { key } })];
    await writer.append({ ...makeEpisode({ id, attempt, task: { key } }), traces });
  }
  await writer.close();
  const to = ['export', 'mixed', '--to', trl, '-o', 'mixed.jsonl'];
  const { code, stderr } = await vf(to, { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('1 of 4 rollouts are not there yet: vf resume mixed');
  const rows = readFileSync(join(cwd, 'mixed.jsonl'), 'utf8').trimEnd().split('\n');
  expect(rows.map((row) => (JSON.parse(row) as { trace: string }).trace)).toEqual([
    'second-2',
    'first-1',
    'first-2',
  ]);
  const chosen = await vf([...to, '--where', 'reward=1'], { cwd });
  expect(chosen.stderr).not.toContain('not there yet');
});
