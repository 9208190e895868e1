import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { answerSums, byteTokenizerJson, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { vfPlace } from '../cli/vf.ts';
import { vfCommand } from '../serve/serve-process.ts';

const taskset = `
import { defineTaskset } from '@vf/core';
export default defineTaskset({ load: () => [{ prompt: '2 + 3' }], rewards: { one: () => 1 } });
`;
/** Nothing listens there. */
const nowhere = 'http://127.0.0.1:9/v1';

let engine: ScriptedModel;
beforeAll(async () => {
  engine = await startScriptedModel({ script: answerSums() });
});
afterAll(() => engine.close());

/** Starts `vf serve` with a config, and stops it once it is ready. */
async function started(client: Readonly<Record<string, unknown>>, model?: string) {
  const { dir } = await vfPlace();
  await mkdir(join(dir, 'bytes'));
  await writeFile(join(dir, 'bytes/tokenizer.json'), JSON.stringify(byteTokenizerJson()));
  await writeFile(join(dir, 'tasks.ts'), taskset);
  const all = { type: 'train', engine: 'llama.cpp', ...client };
  const lines = Object.entries(all).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  const named = model === undefined ? '' : `model = "${model}"\n`;
  const config = `${named}[taskset]\nid = "./tasks.ts"\n[client]\n${lines.join('\n')}\n`;
  await writeFile(join(dir, 'config.toml'), config);
  const [node = '', ...rest] = vfCommand;
  const args = [...rest, 'serve', '@', 'config.toml', '--bind', 'tcp://127.0.0.1:0'];
  const server = spawn(node, args, { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = once(server, 'exit');
  const errors = text(server.stderr);
  const ready: unknown[] = await Promise.race([once(createInterface(server.stdout), 'line'), gone]);
  server.kill('SIGINT');
  await gone;
  const stderr = await errors;
  const warnings = stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { readonly level: string; readonly message: string });
  return { isReady: typeof ready[0] === 'string', stderr, warnings };
}

const whole = { renderer: 'qwen3', tokenizer: './bytes' };

describe('vf serve says at its start what requests cannot be played without', () => {
  test.each<
    [
      what: string,
      client: Readonly<Record<string, unknown>>,
      model: string | undefined,
      told: readonly RegExp[],
    ]
  >([
    ['all is there', whole, undefined, []],
    [
      'an engine that is down',
      { ...whole, base_url: nowhere },
      'm',
      [/^client\.base_url .*:9\/v1 does not answer \(/],
    ],
    [
      'no tokenizer',
      { renderer: 'qwen3' },
      'm',
      [/^client\.tokenizer is not set: .*misfit\/tokenizer/],
    ],
    [
      'no renderer and no model',
      { tokenizer: './bytes' },
      undefined,
      [/^client\.renderer is not set \(no model is named.*misfit\/no_renderer/],
    ],
    [
      'a model that tells no renderer',
      { tokenizer: './bytes' },
      'm',
      [/^client\.renderer is not set \(No renderer is known for the model "m"/],
    ],
    ['a model that tells it', { tokenizer: './bytes' }, 'Qwen/Qwen3-8B', []],
    [
      'nothing of both',
      { base_url: nowhere },
      undefined,
      [/^client\.renderer /, /^client\.tokenizer /, /^client\.base_url /],
    ],
    [
      'an engine without renderers',
      { engine: 'vllm-chat' },
      'm',
      [/^client\.engine vllm-chat has no renderer/],
    ],
  ])('%s [serve/train]', async (_what, client, model, told) => {
    const { isReady, warnings, stderr } = await started(client, model);
    expect(isReady, stderr).toBe(true);
    expect(warnings).toHaveLength(told.length);
    told.forEach((words, at) => {
      expect(warnings[at]).toMatchObject({ level: 'warn', hint: expect.any(String) as string });
      expect(warnings[at]?.message).toMatch(words);
    });
  });

  test('one server of several [serve/train]', async () => {
    const { warnings } = await started(
      { ...whole, base_url: `${engine.url}/v1`, replicas: [nowhere] },
      'scripted',
    );
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^client\.replicas http:\/\/127\.0\.0\.1:9\/v1 does not answer/),
    ]);
  });

  test.each([
    ['a tokenizer that is none', { tokenizer: './none' }, 'misfit/tokenizer'],
    ['a renderer that is none', { renderer: 'qwen33' }, 'misfit/no_renderer'],
  ])('%s ends it [serve/train]', async (_what, client, code) => {
    const { isReady, stderr } = await started(client);
    expect(isReady).toBe(false);
    expect(stderr).toContain(`[${code}]`);
  });
});
