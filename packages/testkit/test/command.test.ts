import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { post } from './post.ts';

const bin = join(import.meta.dirname, '../bin/vf-scripted-model.js');
let child: ChildProcess | null = null;
afterEach(() => void child?.kill('SIGKILL'));

/** Starts the command and waits for the two lines that it prints. */
async function serve(...args: string[]): Promise<{ url: string; said: string }> {
  const argv = ['--conditions=@vf/source', bin, ...args];
  const started = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  child = started;
  const lines: string[] = [];
  for await (const line of createInterface({ input: started.stdout })) {
    if (lines.push(line) === 2) break;
  }
  return { url: lines[0] ?? '', said: lines[1] ?? '' };
}

test('serves under a name that says it is scripted, until it is told to stop', async () => {
  const { url, said } = await serve('--model', 'gpt', '--solve', 'ls');
  expect(said).toContain('scripted-gpt');
  const messages = [{ role: 'user', content: '2 + 3' }];
  const sum = await post(url, 'messages', { stream: false, messages });
  expect(await sum.json()).toMatchObject({ model: 'scripted-gpt', content: [{ text: '5' }] });
  const tools = [{ name: 'Bash', input_schema: {} }];
  const work = await post(url, 'messages', { stream: false, tools });
  expect(await work.json()).toMatchObject({
    content: [{ name: 'Bash', input: { command: 'ls' } }],
  });
  child?.kill('SIGTERM');
  expect(await once(child ?? process, 'exit')).toEqual([0, null]);
});

test.each(['mjs', 'ts'])(
  'takes a script from a .%s module in a folder of its own',
  async (ending) => {
    const file = join(await folder(), `script.${ending}`);
    await writeFile(
      file,
      `import { say, shellCall } from '@vf/testkit';
     import { textOf } from '@vf/core/trace';
     export default ({ messages, tools }) =>
       shellCall(tools, 'ls') ?? say('asked ' + textOf(messages.at(-1).content));`,
    );
    const { url } = await serve('--script', file);
    const messages = [{ role: 'user', content: 'for nothing' }];
    const reply = await post(url, 'chat-completions', { stream: false, messages });
    expect(await reply.text()).toContain('asked for nothing');
  },
);

test('the testkit of the script’s own project goes before', async () => {
  const dir = await folder();
  const own = join(dir, 'node_modules/@vf/testkit');
  await mkdir(own, { recursive: true });
  const about = { name: '@vf/testkit', type: 'module', exports: './index.js' };
  await writeFile(join(own, 'package.json'), JSON.stringify(about));
  await writeFile(
    join(own, 'index.js'),
    `export const say = () => ({ type: 'text', text: 'my own' });`,
  );
  const file = join(dir, 'script.mjs');
  await writeFile(file, `import { say } from '@vf/testkit'; export default () => say();`);
  const { url } = await serve('--script', file);
  expect(await (await post(url, 'messages', { stream: false })).text()).toContain('my own');
});

test('a module without a script is told', async () => {
  const file = join(await folder(), 'script.mjs');
  await writeFile(file, 'export const script = () => [];');
  const [code, text] = await refused('--script', file);
  expect([code, text]).toEqual([2, expect.stringContaining('has no default export')]);
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'vf-script-'));
  onTestFinished(() => rm(made, { recursive: true }));
  return made;
}

test('refuses what it does not know, with help', async () => {
  const wrong = spawn(process.execPath, ['--conditions=@vf/source', bin, '--port', 'x']);
  const [text, [code]] = await Promise.all([textOf(wrong.stderr), once(wrong, 'exit')]);
  expect([code, text]).toEqual([2, expect.stringContaining('--port takes a number')]);
});

test('a port that is taken and a script that is none are told in a line', async () => {
  const { url } = await serve();
  const { port } = new URL(url);
  const taken = await refused('--port', port);
  expect(taken).toEqual([
    2,
    `vf-scripted-model: 127.0.0.1:${port} is in use: end what serves there, or give another --port (0 finds a free one)\n`,
  ]);
  const [code, text] = await refused('--script', '/nowhere/script.mjs');
  expect(code).toBe(2);
  expect(text).toMatch(/^vf-scripted-model: Cannot find module '\/nowhere\/script\.mjs'[^\n]*\n$/);
});

async function refused(...args: string[]): Promise<[unknown, string]> {
  const wrong = spawn(process.execPath, ['--conditions=@vf/source', bin, ...args]);
  const [text, [code]] = await Promise.all([textOf(wrong.stderr), once(wrong, 'exit')]);
  return [code, text];
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
