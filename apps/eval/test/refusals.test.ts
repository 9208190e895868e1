import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addition, emptyFolder, eventsOf, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

let model: ScriptedModel;
const servers: Server[] = [];
const cwd = emptyFolder();

beforeAll(async () => {
  model = await startScriptedModel({ script: answerSums(), key: 'right-key' });
});
afterAll(async () => {
  await model.close();
  for (const server of servers) server.close();
});

/** A provider that takes no key at all, and repeats it. */
function refusing(): Promise<string> {
  return serving((request, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: `wrong: ${request.headers.authorization}` } }));
  });
}

/** A server that has nothing. */
function bare(): Promise<string> {
  return serving((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ detail: 'Not Found' }));
  });
}

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

test('wrong keys and types of a file: place, nearest, all at once', async () => {
  writeFileSync(
    join(cwd, 'nightly.toml'),
    'model = "m"\nnum_exmples = 3\n\n[sampling]\ntemprature = 0.7\n\n[runtime]\nid = 7\n',
  );
  const { code, stderr } = await vf(['eval', 'gsm8k', '@', 'nightly.toml'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^vf: 3 problems in nightly\.toml$/m);
  expect(stderr).toMatch(
    /^ {2}nightly\.toml:2:1 +num_exmples +unknown key; nearest: num_examples$/m,
  );
  expect(stderr).toMatch(
    /^ {2}nightly\.toml:5:1 +sampling\.temprature +unknown key; nearest: temperature/m,
  );
  expect(stderr).toMatch(/^ {2}nightly\.toml:8:\d +runtime\.id = 7 +expected text/m);
  expect(stderr).toContain('[config/invalid]');
});

test('all options that a harness lacks are told at once', async () => {
  const args = ['--harness', 'command', '-m', 'm', '--provider', 'local', '--dry-run'];
  const { code, stderr } = await vf(['eval', 'gsm8k', '-n', '1', ...args], { cwd });
  expect(code).toBe(2);
  for (const option of ['name', 'dialect', 'run']) expect(stderr).toContain(`harness.${option} `);
});

test('a tool as others write it is refused before anything runs', async () => {
  writeFileSync(
    join(cwd, 'rev.mts'),
    `export default { kind: 'taskset', specVersion: 1, spec: { load: () => [{ prompt: 'x' }],
      tools: { rev: { description: 'Turns it round.', parameters: {}, execute: () => '' } } } };`,
  );
  for (const args of [['tasks'], ['validate'], ['eval', '-m', 'm', '--dry-run']]) {
    const [command = '', ...rest] = args;
    const { code, stderr } = await vf([command, './rev.mts', ...rest], { cwd });
    expect(code).toBe(2);
    expect(stderr).toMatch(/tools\.rev\.parameters .*nearest: input/);
    expect(stderr).toMatch(/tools\.rev\.execute .*nearest: run/);
  }
});

test('a flag, a command and a plugin that are not there: the nearest one', async () => {
  const flag = await vf(['show', '--erors'], { cwd });
  expect(flag).toMatchObject({ code: 2, stdout: '' });
  expect(flag.stderr).toContain('vf: unknown flag --erors; nearest: --errors');
  const command = await vf(['evla'], { cwd });
  expect(command.code).toBe(2);
  expect(command.stderr).toContain('vf: no command "evla"; nearest: eval');
  const plugin = await vf(['eval', 'gsm9k', '-m', 'm', '--provider', 'local'], { cwd });
  expect(plugin.code).toBe(2);
  expect(plugin.stderr).toContain('vf: no taskset "gsm9k"; nearest: gsm8k. Looked in:');
  expect(plugin.stderr).toMatch(
    / {2}fix: vf eval gsm8k {4}or, if it is a package: .*vf-taskset-gsm9k {3}\[plugin\/unknown\]/,
  );
});

test('all plugins that are not there, and what is wrong with the options of the others, are told at once', async () => {
  writeFileSync(
    join(cwd, 'names.toml'),
    'model = "m"\n[environment]\nid = "bestofn"\n[taskset]\nid = "gsm8k"\ninstuction = "x"\n[harness]\nid = "codx"\n[runtime]\nid = "dockr"\n[rewards.nosuch]\nweight = 2\n',
  );
  const { code, stderr } = await vf(['eval', '@', 'names.toml'], { cwd });
  expect(code).toBe(2);
  expect(stderr.split('\n').map((line) => line.replaceAll(/ {2,}/g, '  '))).toEqual([
    'vf: 3 plugins that are named cannot be used',
    '  names.toml:3:1  environment.id  no environment "bestofn"; nearest: best-of-n',
    '  names.toml:6:1  taskset.instuction  taskset gsm8k has no such option; nearest: instruction',
    '  names.toml:8:1  harness.id  no harness "codx"; nearest: codex',
    '  names.toml:10:1  runtime.id  no runtime "dockr"; nearest: docker',
    expect.stringMatching(/^ {2}names\.toml:12:1 {2}rewards\.nosuch .*\[plugin\/unknown\]$/),
    '',
  ]);
  writeFileSync(join(cwd, 'name.toml'), 'model = "m"\n[harness]\nid = "codx"\nfoo = 1\n');
  const one = await vf(['eval', 'gsm8k', '@', 'name.toml'], { cwd });
  expect(one.stderr).toMatch(/^vf: no harness "codx"; nearest: codex\. Looked in:/);
  expect(one.stderr).toMatch(/^ {2}name\.toml:3:1 {2}harness\.id {2}no harness "codx"/m);
});

test('options of taskset and harness that are not there are told at once', async () => {
  const args = [
    '--harness.foo',
    '3',
    '--taskset.instuction',
    'x',
    '-m',
    'm',
    '--provider',
    'local',
  ];
  const { code, stderr } = await vf(['eval', 'gsm8k', ...args], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/harness\.foo +harness null has no such option/);
  expect(stderr).toMatch(
    /taskset\.instuction +taskset gsm8k has no such option; nearest: instruction/,
  );
});

test('a key that is not set, and one that stands in the command line', async () => {
  const unset = await vf(['eval', 'gsm8k', '-m', 'm', '--provider', 'openai'], { cwd });
  expect(unset.code).toBe(2);
  expect(unset.stderr).toBe(
    'vf: OPENAI_API_KEY is not set (provider openai, chosen by --provider)\n  fix: export OPENAI_API_KEY=…   or --env-file .env   or --provider local   [provider/no_key]\n',
  );
  const none = await vf(['eval', 'gsm8k', '-m', 'm'], { cwd });
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('[provider/no_key]');
  for (const [given, missing] of [
    [[], ['client.engine', 'client.base_url']],
    [['--client.engine', 'vllm'], ['client.base_url']],
    [['--base-url', 'http://127.0.0.1:1/v1'], ['client.engine']],
  ] as const) {
    // Nor does a key stand for an engine.
    for (const env of [{}, { OPENAI_API_KEY: 'key' }]) {
      const train = ['eval', 'gsm8k', '-m', 'm', '--client.type', 'train', ...given];
      const { code, stderr } = await vf(train, { cwd, env });
      expect(code).toBe(2);
      expect(stderr).toContain(`vf: client.type = "train" needs ${missing.join(' and ')}\n  fix: `);
      expect(stderr).toContain('[config/invalid]');
      expect(stderr).not.toContain('API_KEY');
    }
  }
  const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz012345';
  const literal = await vf(['eval', 'gsm8k', '-m', 'm', '--client.api-key', secret], { cwd });
  expect(literal.code).toBe(2);
  expect(literal.stderr).toContain('[config/literal_secret]');
  expect(literal.stderr).not.toContain(secret);
});

test('a plan that is only shown needs no key: what a run lacks is noted', async () => {
  const shown = (...args: string[]) =>
    vf(['eval', 'gsm8k', '-n', '1', '-m', 'm', '--dry-run', ...args], { cwd });
  const named = await shown('--provider', 'openai');
  expect(named).toMatchObject({ code: 0, stderr: '' });
  expect(named.stdout).toMatch(/^1 task × 1 = 1 rollout,/);
  expect(named.stdout).toContain(
    '  OPENAI_API_KEY is not set (provider openai, chosen by --provider); the run needs it\n',
  );
  const undecided = await shown('--harness', 'codex');
  expect(undecided).toMatchObject({ code: 0, stderr: '' });
  expect(undecided.stdout).toMatch(/^ {2}provider +undecided +http.* for agent$/m);
  expect(undecided.stdout).toMatch(/no provider is named and no provider's key is set .*; the run/);
  const header = await shown('--base-url', 'http://h/v1', '--client.headers-from-env.x-key', 'KEY');
  expect(header.code).toBe(0);
  expect(header.stdout).toContain('KEY is not set (client.headers_from_env, header x-key)');
});

test('an address without http:// is told with it, a required option as missing', async () => {
  const at = ['--base-url', 'localhost:4977'];
  const address = await vf(['eval', 'gsm8k', '-m', 'm', '-n', '1', ...at], { cwd });
  expect(address.code).toBe(2);
  expect(address.stderr).toMatch(
    /client\.base_url = "localhost:4977" +expected a URL that begins with .*fix: "http:\/\/localhost:4977"/,
  );
  const command = ['--harness', 'command', '-m', 'm', '--provider', 'local', '--dry-run'];
  const option = await vf(['eval', 'gsm8k', '-n', '1', ...command], { cwd });
  expect(option.stderr).toMatch(/harness\.run +harness command: is missing/);
  writeFileSync(join(cwd, 'no-id.toml'), '[taskset]\ncount = 3\n');
  const { stderr } = await vf(['eval', '@', 'no-id.toml', '-m', 'm'], { cwd });
  expect(stderr).toMatch(/taskset\.id +is missing/);
});

test('where nothing is selected, the keys that selected it are named', async () => {
  const to = ['-m', 'm', '--provider', 'local'];
  const flag = await vf(['eval', addition, '-t', 'nosuch*', ...to], { cwd });
  expect(flag.code).toBe(2);
  expect(flag.stderr).toMatch(
    /^ {2}--task +select\.include +nosuch\* selects none {4}fix: vf tasks/m,
  );
  writeFileSync(join(cwd, 'none.toml'), '[select]\nexclude = ["*"]\nskip = 3\n');
  const file = await vf(['eval', addition, '@', 'none.toml', ...to], { cwd });
  expect(file.stderr).toMatch(/^ {2}none\.toml:2:1 +select\.exclude +\* is left out/m);
  expect(file.stderr).toMatch(/^ {2}none\.toml:3:1 +select\.skip +3 are skipped/m);
});

test('resume has no --dry-run', async () => {
  const { code, stderr } = await vf(['resume', 'last', '--dry-run'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain(
    '--dry-run has no meaning here\n  fix: resume has no --dry-run: vf show',
  );
});

test('a provider that is not there, refuses the key or lacks the model: before the run, no folder', async () => {
  const args = ['eval', addition, '-n', '2'];
  const gone = await vf([...args, '-m', 'm', '--base-url', 'http://127.0.0.1:9/v1'], { cwd });
  expect(gone).toMatchObject({ code: 2 });
  expect(gone.stderr).toMatch(
    /^vf: no connection to http:\/\/127\.0\.0\.1:9.*\n {2}fix: .*\[provider\/unreachable\]$/m,
  );

  const to = ['--base-url', `${model.url}/v1`, '--api-key-var', 'KEY'];
  const strict = ['--base-url', await refusing(), '--api-key-var', 'KEY'];
  const wrong = await vf([...args, '-m', 'scripted', ...strict], {
    cwd,
    env: { KEY: 'wrong-key-123' },
  });
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/^vf: .*\n {2}fix: .*\[provider\/auth\]$/m);
  expect(wrong.stderr).not.toContain('wrong-key-123');

  const other = await vf([...args, '-m', 'scriptd', ...to], { cwd, env: { KEY: 'right-key' } });
  expect(other.code).toBe(2);
  expect(other.stderr).toMatch(/^vf: .*scriptd.*\n {2}fix: .*\[provider\/unknown_model\]$/m);
  expect(readdirSync(cwd)).not.toContain('outputs');
});

test('an engine of another kind than the config names: its route, before the run', async () => {
  const train = ['--client.type', 'train', '--client.engine', 'vllm-chat'];
  const args = ['eval', addition, '-n', '1', '-m', 'scripted', ...train];
  const { code, stderr } = await vf([...args, '--base-url', await bare()], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^vf: .* has no \/v1\/chat\/completions.*\n {2}fix: client\.engine.*\[misfit\/plan\]$/m,
  );
  expect(readdirSync(cwd)).not.toContain('outputs');
});

test('a row that does not fit: its number and path', async () => {
  writeFileSync(
    join(cwd, 'bad.ts'),
    `import { defineTaskset, z } from '@vf/core';
export default defineTaskset({
  data: z.object({ answer: z.number() }),
  load: () => [{ prompt: 'one', answer: 1 }, { prompt: 'two', answer: 'two' as never }],
  rewards: { right: ({ trace, task }) => Number(trace.lastReply === String(task.answer)) },
});
`,
  );
  const { code, stderr } = await vf(['tasks', './bad.ts'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toMatch(/row 1\.answer +.*expected number/); // rows are counted from 0
  expect(stderr).toContain('[taskset/invalid_row]');
});

test('with --json a refusal is one error event', async () => {
  const { code, stdout } = await vf(['eval', 'gsm9k', '-m', 'm', '--provider', 'local', '--json'], {
    cwd,
  });
  expect(code).toBe(2);
  expect(eventsOf(stdout)).toEqual([
    {
      v: 1,
      seq: 0,
      time: expect.any(String),
      type: 'error',
      code: 'plugin/unknown',
      message: expect.stringContaining('no taskset "gsm9k"'),
      hint: expect.any(String),
      problems: [
        {
          file: 'TASKSET gsm9k',
          path: 'taskset.id',
          message: 'no taskset "gsm9k"',
          nearest: 'gsm8k',
        },
      ],
    },
  ]);
});

test.each(['foo', 'tcp://127.0.0.1:99999', 'http://127.0.0.1:5000', 'tcp://host.invalid:5000'])(
  'an address that cannot be served on: %s',
  async (address) => {
    const { code, stdout, stderr } = await vf(['serve', addition, '--bind', address], { cwd });
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.split('\n')[0]).toContain(address);
    expect(stderr).toMatch(/^ {2}fix: --bind tcp:.* \[(usage\/invalid|interception\/failed)\]$/m);
  },
);

test('a renderer given as a table that is none', async () => {
  const flags = ['--client.type', 'train', '--client.renderer', '{name: qwen3}'];
  const { code, stderr } = await vf(
    ['eval', addition, '-m', 'm', '--provider', 'local', ...flags],
    { cwd },
  );
  expect(code).toBe(2);
  expect(stderr).toContain(
    '--client.renderer  client.renderer = "{name: qwen3}"  expected the name of a family',
  );
});
