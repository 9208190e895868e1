import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPage } from './page.ts';
import { typed } from './typed-line.ts';

const root = resolve(import.meta.dirname, '../../..');
const bin = join(root, 'packages/testkit/bin/vf-scripted-model.js');

describe('training.md: an agent trained through without a model [train/agents]', () => {
  const page = readPage('training.md');
  const folder = mkdtempSync(join(tmpdir(), 'vf-docs-'));
  const tokenizer = join(folder, 'bytes');
  let url = '';
  let stop: () => Promise<void>;

  beforeAll(async () => {
    const [, solution = ''] = /scripted-model --solve '(.+)' --tokenizer/.exec(page.text) ?? [];
    const args = ['--solve', solution, '--tokenizer', tokenizer];
    const model = spawn(process.execPath, ['--conditions=@vf/source', bin, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    stop = async () => {
      const gone = once(model, 'exit');
      model.kill();
      await gone;
    };
    const lines = createInterface({ input: model.stdout });
    [url] = (await once(lines, 'line')) as [string];
    for (const [file, code] of [...readPage('own-taskset.md').files, ...page.files]) {
      const own = code.replace('/tmp/vf-bytes', tokenizer);
      writeFileSync(join(folder, file), own.replace('http://127.0.0.1:4890', url));
    }
  });
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(page.commands)('%s', { timeout: 300_000 }, async (line) => {
    const { code, output } = await typed(line, folder, url, {
      VF_PROJECT: resolve(import.meta.dirname, '../..'),
      // Where the agents are installed once per machine.
      VF_CACHE_DIR: process.env['VF_CACHE_DIR'] ?? join(homedir(), '.cache', 'vf'),
    });
    expect(code, output).toBe(0);
  });

  test('the sample is what was asked and what was said, byte for byte', () => {
    const rows = readFileSync(join(folder, 'claude.jsonl'), 'utf8').trim().split('\n');
    const samples = rows.map((row) => JSON.parse(row) as Sample);
    const main = samples.find(({ env_mask: mask }) => mask.includes(0));
    const said = (main?.completion_ids ?? []).filter((_, at) => main?.env_mask[at] === 1);
    expect(Buffer.from(said.filter((id) => id < 256)).toString()).toContain(
      'echo hello > greeting.txt',
    );
    expect(main?.logprobs).toHaveLength(main?.completion_ids.length ?? 0);
    expect(main?.reward).toBe(1);
  });
});

interface Sample {
  readonly completion_ids: readonly number[];
  readonly env_mask: readonly number[];
  readonly logprobs: readonly number[];
  readonly reward: number;
}
