import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from './page.ts';
import { ran, typed } from './typed-line.ts';

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ script: answerSums(), model: 'gpt-5.2' });
});
afterAll(() => model.close());

describe('capture.md', () => {
  const page = readPage('capture.md');
  // Below the project, where its packages are found.
  const cache = resolve(import.meta.dirname, '../../.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'capture-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [file, code] of page.files) writeFileSync(join(folder, file), code);

  test('the captured agent leaves a run and a table', async () => {
    const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'key' };
    const { code, output } = await ran(
      process.execPath,
      ['--conditions=@vf/source', 'agent.ts'],
      folder,
      env,
    );
    expect(code, output).toBe(0);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['outputs', 'my-run.parquet']));
  });

  test.each(page.commands)('%s', async (line) => {
    const { code, output } = await typed(line, folder, model.url);
    expect(code, output).toBe(0);
  });

  test('a model of one’s own', async () => {
    const { code, output } = await ran(
      process.execPath,
      ['--conditions=@vf/source', 'own-model.ts'],
      folder,
    );
    expect(code, output).toBe(0);
    expect(output).toContain('true 0.5 You said 1 things.');
  });
});
