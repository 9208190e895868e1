import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineTaskset } from '@vf/core';
import command from '@vf/harness-command';
import subprocess from '@vf/runtime-subprocess';
import { fail, say, solveWithShell, startScriptedModel } from '@vf/testkit';
import { describeHarness } from '@vf/testkit/conformance';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { play } from '../run/play.ts';
import { scenes, signal } from './rig.ts';

const program = [
  process.execPath,
  fileURLToPath(new URL('../../fixtures/acme-agent.mjs', import.meta.url)),
];
const flags = ['--system-file', '{system_prompt_file}', '--mcp-file', '{mcp_file}'];
const acme = {
  name: 'acme',
  dialect: 'chat-completions',
  run: [...program, '--prompt-file', '{prompt_file}', ...flags],
  continue: [...program, '--continue', '--prompt-file', '{prompt_file}', ...flags],
  files: { '.acme/config.json': '{"model": "{model}"}' },
};
const env = { OPENAI_BASE_URL: '{base_url}', OPENAI_API_KEY: '{api_key}' };

describe('command', () => {
  describeHarness(() => command, {
    runtime: () => subprocess,
    config: acme,
    env,
    callsPerRefusal: 1,
  });

  const open = scenes(command);

  test('gives the prompt by standard input when it is not named', async () => {
    const { session, model } = await open(() => say('Yes.'), { ...acme, run: program }, { env });
    expect(await session.turn('From "stdin" $HOME.', signal)).toMatchObject({
      status: 'completed',
    });
    expect(model.turns[0]?.call?.messages.at(-1)?.content).toBe('From "stdin" $HOME.');
  });

  test('puts words into arguments as they are, through no shell', async () => {
    const run = ['sh', '-c', 'cat > args; printf "%s|" "$@" >> args', 'sh', '{prompt}', '{model}'];
    const { session, box } = await open(() => say('Yes.'), { ...acme, run });
    await session.turn('$(id) `id` "{model}"', signal);
    expect(Buffer.from(await box.read('args')).toString()).toBe('$(id) `id` "{model}"|m1|');
  });

  test('runs what was copied into its home: a program of this machine, a folder, a text', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'vf-copy-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    await mkdir(join(dir, 'parts'));
    await writeFile(join(dir, 'parts/word'), 'copied {model}');
    await writeFile(join(dir, 'agent.sh'), '#!/bin/sh\ncat "$1/lib/word" "$1/own" > seen\n');
    await chmod(join(dir, 'agent.sh'), 0o755);
    const { session, box } = await open(() => say('Yes.'), {
      ...acme,
      run: ['{home}/bin/agent', '{home}'],
      files: { own: ' and {model}' },
      copy: { 'bin/agent': join(dir, 'agent.sh'), lib: join(dir, 'parts') },
    });
    await session.turn('Go.', signal);
    expect(Buffer.from(await box.read('seen')).toString()).toBe('copied {model} and m1');
  });

  test('fails with the last words of the program', async () => {
    const refused = await open(() => fail(400, { message: 'the rollout is over' }), acme, { env });
    expect(await refused.session.turn('Go.', signal)).toMatchObject({
      status: 'failed',
      detail: expect.stringContaining('the rollout is over') as string,
    });
  });
});

describe('a run', () => {
  const taskset = defineTaskset({
    load: () => [{ key: 'edit', prompt: 'Turn red into blue.', systemPrompt: 'Be brief.' }],
    setup: ({ runtime }) => runtime.write('sky.txt', 'red\n'),
    rewards: {
      blue: async ({ runtime }) =>
        Number(Buffer.from(await runtime.read('sky.txt')).toString() === 'blue\n'),
    },
  });
  const options = Object.entries({ id: 'command', version: '1.4', ...acme, env });
  const config = Object.fromEntries(options.map(([key, value]) => [`harness.${key}`, value]));

  test('names the agent as the config does', async () => {
    const script = solveWithShell('sed s/red/blue/ sky.txt > new && mv new sky.txt');
    await using model = await startScriptedModel({ script });
    const { trace, dir } = await play({ taskset, model, config });
    expect(trace('edit')).toMatchObject({
      reward: 1,
      agent: { harness: { id: 'acme', version: '1.4' } },
    });
    expect(dir).toContain('--acme');
  });

  test.each([
    ['harness.env', { X: '{key}' }, 'no placeholder {key} here'],
    ['harness.run', ['acme', '{promt}'], 'no placeholder {promt} here'],
    ['harness.run', ['acme', '{prompt}'], 'takes none'],
  ])('is refused for what %s = %j lacks', async (key, value, message) => {
    await using model = await startScriptedModel({ script: () => say('Yes.') });
    const { 'harness.continue': _continue, ...rest } = config;
    const wrong = { ...rest, [key]: value };
    await expect(play({ taskset, model, config: wrong })).rejects.toMatchObject({
      code: 'misfit/plan',
      problems: [{ message: expect.stringContaining(message) as string }],
    });
  });
});

describe('install', () => {
  const open = scenes(command);
  const name = `acme-${crypto.randomUUID()}`;
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const marks: string[] = [];
  afterAll(async () => {
    const { box } = await open(() => say('Yes.'), { ...acme, name });
    await box.run(['rm', '-f', ...marks], { signal });
  });

  test('is run once for its words, and again for others', async () => {
    const { box } = await open(solveWithShell('true'), { ...acme, name });
    marks.push(`/tmp/.vf-command-${name}`);
    const installed = async (...words: string[]): Promise<void> => {
      const install = ['sh', '-c', 'echo "$1" >> "$0/installed"', '{workdir}', ...words];
      const config = command.spec.config?.parse({ ...acme, name, install }) as object;
      await command.spec.install?.({ config, runtime: box, log, signal });
    };
    await Promise.all([installed('1.0'), installed('1.0')]);
    await installed('1.1');
    await installed('1.0');
    expect(await readFile(`${box.workdir}/installed`, 'utf8')).toBe('1.0\n1.1\n1.0\n');
  });

  test('that fails says how', async () => {
    const { box } = await open(solveWithShell('true'), { ...acme, name });
    const install = ['sh', '-c', 'echo no such version >&2; exit 1'];
    const config = command.spec.config?.parse({ ...acme, name: `${name}-x`, install }) as object;
    const installing = command.spec.install?.({ config, runtime: box, log, signal });
    await expect(installing).rejects.toMatchObject({
      code: 'harness/install_failed',
      message: expect.stringContaining('no such version') as string,
    });
  });
});
