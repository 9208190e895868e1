import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import { expect, test, vi } from 'vitest';
import { emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

test('figures stand below each other, however long the names of rewards and metrics are', async () => {
  const cwd = emptyFolder();
  await using model = await startScriptedModel({ script: answerSums() });
  writeFileSync(
    join(cwd, 'sums.ts'),
    `import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => [{ prompt: 'What is 1 + 1?' }],
  rewards: { answersTheSumExactly: () => 1 },
  metrics: { spelled_controls: () => 0, ${'m'.repeat(60)}: () => 0 },
});`,
  );
  const options = ['-m', 'scripted', '--base-url', `${model.url}/v1`];
  const { code, stdout } = await vf(['eval', './sums.ts', ...options], { cwd });
  expect(code).toBe(0);
  const [header = '', ...lines] = stdout.split('\n').slice(1);
  const end = header.indexOf('mean') + 'mean'.length;
  const rowOf = (name: string): string => lines.find((line) => line.trim().startsWith(name)) ?? '';
  for (const name of ['reward', 'answersTheSumExactly', 'spelled_controls', 'turns'])
    expect(rowOf(name).slice(0, end)).toMatch(/ \d\.\d+$/);
  expect(rowOf('mmm')).toMatch(/m +0\.000/);
});
