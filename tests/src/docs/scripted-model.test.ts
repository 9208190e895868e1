import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { readPage } from './page.ts';
import { typed } from './typed-line.ts';

const root = resolve(import.meta.dirname, '../../..');
const bin = join(root, 'packages/testkit/bin/vf-scripted-model.js');

test('testing-a-plugin.md: the script plays the taskset with a tool of own-taskset.md', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vf-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const page of ['own-taskset.md', 'testing-a-plugin.md'])
    for (const [file, code] of readPage(page).files) writeFileSync(join(folder, file), code);
  const model = spawn(
    process.execPath,
    ['--conditions=@vf/source', bin, '--script', join(folder, 'script.mjs')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(async () => {
    const gone = once(model, 'exit');
    model.kill();
    await gone;
  });
  const [url] = (await once(createInterface({ input: model.stdout }), 'line')) as [string];
  const { code, output } = await typed(
    'vf eval ./capitals.ts -m scripted --min-reward 1',
    folder,
    url,
  );
  expect(code, output).toBe(0);
  expect(output).toMatch(/right +1\.000/);
  expect(output).toMatch(/lookups +1\.000/);
});
