import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import { expect, test, vi } from 'vitest';
import { emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

test('pass@k says over how many tasks it is, where some have too few scored attempts', async () => {
  const cwd = emptyFolder();
  await using model = await startScriptedModel({ script: answerSums() });
  writeFileSync(
    join(cwd, 'sums.ts'),
    `import { defineTaskset } from '@vf/core';
let scored = 0;
export default defineTaskset({
  load: () => [1, 2].map((n) => ({ key: \`t\${n}\`, prompt: \`What is \${n} + \${n}?\` })),
  rewards: {
    right: ({ task }) => {
      if (task.key === 't2' && scored++ === 0) throw new Error('only once');
      return task.key === 't1' ? 1 : 0;
    },
  },
});`,
  );
  const options = ['-m', 'scripted', '--base-url', `${model.url}/v1`, '-r', '2', '-c', '1'];
  const { code, stdout } = await vf(['eval', './sums.ts', '--run', 'uneven', ...options], { cwd });
  expect(code).toBe(3);
  expect(stdout).toMatch(/reward +0\.667/);
  expect(stdout).toMatch(
    /^ {2}pass@1 0\.50 {3}pass@2 1\.00 \(1 of 2 tasks\) {3}pass\^2 1\.00 \(1 of 2 tasks\)$/m,
  );
  const whole = await vf(['eval', './sums.ts', '-n', '1', ...options], { cwd });
  expect(whole.stdout).toMatch(/^ {2}pass@1 1\.00 {3}pass@2 1\.00 {3}pass\^2 1\.00$/m);
});
