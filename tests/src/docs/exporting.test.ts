import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonOfNotebooks } from '../python/notebook.ts';
import { findPython } from '../python/venv.ts';
import { readPage } from './page.ts';
import { ran, typed } from './typed-line.ts';

const project = resolve(import.meta.dirname, '../..');
const python = await findPython();

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ script: answerSums(), model: 'gpt-5.2' });
});
afterAll(() => model.close());

describe('exporting.md', () => {
  const page = readPage('exporting.md');
  const folder = mkdtempSync(join(tmpdir(), 'vf-docs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [file, code] of [...readPage('own-taskset.md').files, ...page.files])
    writeFileSync(join(folder, file), code);

  test.each(page.commands)('%s', async (line) => {
    const { code, output } = await typed(line, folder, model.url, { VF_PROJECT: project });
    expect(code, output).toBe(0);
  });

  test('the form of one’s own writes every answer', () => {
    expect(readFileSync(join(folder, 'answers.txt'), 'utf8').split('\n')).toHaveLength(10);
  });

  test.runIf(python !== null)(
    'the notebook',
    async () => {
      const peer = await pythonOfNotebooks(python ?? '');
      const { code, output } = await ran(peer, ['notebook.py'], folder);
      expect(code, output).toBe(0);
      expect(output).toMatch(/^ +count +mean\ntask/m);
      expect(output.match(/ 2 +1\.0$/gm)).toHaveLength(5);
      expect(output).toMatch(/^mean +1\.0/m);
    },
    600_000,
  );
});
