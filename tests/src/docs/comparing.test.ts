import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from './page.ts';
import { typed } from './typed-line.ts';

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
    const { code, output } = await typed(line, folder, model.url);
    expect(code, output).toBe(page.exits.get(line) ?? 0);
  });

  if (name !== 'ci-gate.md') return;
  test('leaves its reports', () => {
    expect(readFileSync(join(folder, 'compare.xml'), 'utf8')).toContain('failures="0"');
    expect(readFileSync(join(folder, 'compare.md'), 'utf8')).toContain('### base → head');
  });
});
