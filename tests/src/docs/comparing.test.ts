import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from './page.ts';

const root = resolve(import.meta.dirname, '../../..');

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ script: answerSums(), model: 'gpt-5.2' });
});
afterAll(() => model.close());

describe.each(['comparing.md', 'ci-gate.md', 'budgets.md'])('%s', (name) => {
  const page = readPage(name);
  const folder = mkdtempSync(join(tmpdir(), 'vf-docs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [file, code] of [...readPage('own-taskset.md').files, ...page.files])
    writeFileSync(join(folder, file), code);

  test.each(page.commands)('%s', async (line) => {
    const { code, output } = await typed(line, folder);
    expect(code, output).toBe(page.exits.get(line) ?? 0);
  });

  if (name !== 'ci-gate.md') return;
  test('leaves its reports', () => {
    expect(readFileSync(join(folder, 'compare.xml'), 'utf8')).toContain('failures="0"');
    expect(readFileSync(join(folder, 'compare.md'), 'utf8')).toContain('### base → head');
  });
});

/** Runs a line of a page as a person would type it; model calls go to the script. */
async function typed(
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
      env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: tmpdir() },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, output };
}
