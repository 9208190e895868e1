import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { textOf } from '@vf/core/trace';
import { answerSums, callTool, say, solveWithShell, startScriptedModel } from '@vf/testkit';
import type { Reply, ScriptedModel, ScriptedRequest } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from './page.ts';

const root = resolve(import.meta.dirname, '../../..');
const project = resolve(import.meta.dirname, '../..');

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ script: answer, model: 'gpt-5.2' });
});
afterAll(() => model.close());

/** Answers what the pages ask: sums, the greeting to write, the questions of judges and users. */
function answer(request: ScriptedRequest): Promise<Reply> | Reply {
  const asked = request.messages.map(({ content }) => textOf(content)).join('\n');
  const [, schema] = asked.split('It obeys this JSON Schema:\n');
  if (schema !== undefined) return say(JSON.stringify(filled(JSON.parse(schema) as Schema)));
  if (asked.includes('Answer yes or no')) return say('yes');
  const [, country] = /capital of (\w+)/.exec(asked) ?? [];
  if (country !== undefined) return lookUp(country, request);
  if (asked.includes('greeting.txt')) return write(request);
  return answerSums()(request);
}

/** What the tool told, if it was asked already. */
function lookUp(country: string, { messages }: ScriptedRequest): Reply {
  const last = messages.at(-1);
  return last?.role === 'tool' ? say(textOf(last.content)) : callTool('lookup', { country });
}

const write = solveWithShell('echo hello > greeting.txt');

interface Schema {
  readonly type: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Something of this form: yes to all, and full marks of 1. */
function filled({ type, properties = {} }: Schema): unknown {
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, filled(inner)]),
    );
  return type === 'boolean' ? true : type === 'string' ? 'So be it.' : 1;
}

describe.each([
  'own-taskset.md',
  'own-harness.md',
  'judges-and-users.md',
  'plugins.md',
  'publishing.md',
])('%s', (name) => {
  const page = readPage(name);
  const folder = mkdtempSync(join(tmpdir(), 'vf-docs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  // A page may use the taskset of the page before it.
  for (const [file, code] of [...readPage('own-taskset.md').files, ...page.files])
    writeFileSync(join(folder, file), code);

  // The doctor needs what a registry has: src/consumer runs it.
  const commands = page.commands.filter((line) => line !== 'vf plugins doctor');
  test.each(commands)('%s', async (line) => {
    const { code, output } = await vf(line, folder);
    expect(output).not.toContain('unscored');
    expect(code, output).toBe(0);
  });
});

test('environments.md: the second opinion gives its reward', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vf-docs-'));
  for (const [file, code] of [
    ...readPage('own-taskset.md').files,
    ...readPage('environments.md').files,
  ])
    writeFileSync(join(folder, file), code);
  const { code, output } = await vf(
    'vf eval ./sums.ts --environment ./second-opinion.ts -m gpt-5.2 -n 2',
    folder,
  );
  rmSync(folder, { recursive: true, force: true });
  expect(code, output).toBe(0);
  expect(output).toMatch(/approved +1\.000/);
});

/** Runs a line of a page as a person would type it; model calls go to the script. */
async function vf(
  line: string,
  cwd: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const own = line.includes(' -m ') ? ['--base-url', `${model.url}/v1`] : [];
  const [, ...args] = line.split(/\s+/);
  const child = spawn(
    process.execPath,
    ['--conditions=@vf/source', join(root, 'apps/eval/bin/vf.js'), ...args, ...own],
    {
      cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: process.env['HOME'] ?? cwd,
        VF_PROJECT: project,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, output };
}
