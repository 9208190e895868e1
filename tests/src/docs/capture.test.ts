import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { answerSums, byteTokenizerJson, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readPage } from './page.ts';
import { ran, typed } from './typed-line.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
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

  test('the captured agent leaves a run and a table, each time it is started', async () => {
    const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'key' };
    for (const runs of [1, 2]) {
      const { code, output } = await ran(
        process.execPath,
        ['--conditions=@vf/source', 'agent.ts'],
        folder,
        env,
      );
      expect(code, output).toBe(0);
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(['outputs', 'sums.parquet']));
      expect(
        readdirSync(join(folder, 'outputs')).filter((name) => name.startsWith('sums-')),
      ).toHaveLength(runs);
    }
  });

  test('it runs in a folder of its own with the packages of a clone linked', async () => {
    const own = mkdtempSync(join(tmpdir(), 'vf-docs-'));
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    writeFileSync(join(own, 'agent.ts'), page.files.get('agent.ts') ?? '');
    const openai = `link:${realpathSync(join(root, 'tests/node_modules/openai'))}`;
    const lines = page.text.match(/^npx -y pnpm\S* add .*$/gm) ?? [];
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      // What is there needs no registry.
      const words = line.replaceAll('CLONE', root).replace(' openai ', ` ${openai} `).split(' ');
      await run('npx', [...words.slice(1), '--offline'], { cwd: own });
    }
    const env = { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'key' };
    const { code, output } = await ran(
      process.execPath,
      ['--conditions=@vf/source', 'agent.ts'],
      own,
      env,
    );
    expect(code, output).toBe(0);
    expect(readdirSync(own)).toEqual(expect.arrayContaining(['outputs', 'sums.parquet']));
  });

  test.each(page.commands)('%s', async (line) => {
    const { code, output } = await typed(line, folder, model.url);
    expect(code, output).toBe(0);
  });

  test('a loop with an engine of its own has exact tokens', async () => {
    mkdirSync(join(folder, 'tokenizer'));
    writeFileSync(join(folder, 'tokenizer/tokenizer.json'), JSON.stringify(byteTokenizerJson()));
    const code = page.files.get('exact-model.ts') ?? '';
    const own = code.replace('http://127.0.0.1:8080', model.url);
    const told = 'console.log(run.trace.graph.nodes.at(-1)?.tokens?.logprobs.length);';
    writeFileSync(join(folder, 'exact-model.ts'), `${own}\n${told}\n`);
    const { code: exit, output } = await ran(
      process.execPath,
      ['--conditions=@vf/source', 'exact-model.ts'],
      folder,
    );
    expect(exit, output).toBe(0);
    expect(output).toMatch(/^true .*5/m);
    // `5` and the end of the turn.
    expect(output.trim()).toMatch(/\n2$/);
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
