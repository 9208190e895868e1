import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, hang, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addition, emptyFolder, startVf, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ script: answerSums() });
});
afterAll(() => model.close());

const taskset = (hook: string): string => `
import { defineTaskset } from '@vf/core';
export default defineTaskset({
  load: () => [1, 2, 3].map((n) => ({ key: \`t\${n}\`, prompt: \`What is \${n} + \${n}?\` })),
  ${hook},
});`;

async function evalWith(hook: string) {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'sums.ts'), taskset(hook));
  return vf(['eval', './sums.ts', '-m', 'scripted', '--base-url', `${model.url}/v1`], { cwd });
}

test('a timer that a hook leaves behind does not keep a run that is over', async () => {
  const { code } = await evalWith(
    'setup: () => void setInterval(() => 0, 1000), rewards: { one: () => 1 }',
  );
  expect(code).toBe(0);
});

test('a hook that ends the process is no success', async () => {
  const { code, stderr } = await evalWith('rewards: { one: () => process.exit(0) }');
  expect(code).toBe(1);
  expect(stderr).toContain('the process ended before the run did');
});

test.each([
  ['ends the process on import', 'process.exit(0);'],
  ['waits for ever on import', 'await new Promise(() => undefined);'],
  [
    'never comes with a row',
    'const rows = async function* () { await new Promise(() => undefined); yield {}; };',
  ],
])('a taskset that %s is no success', async (_what, source) => {
  const cwd = emptyFolder();
  const load = source.startsWith('const rows') ? 'rows' : '() => [{ prompt: "x" }]';
  writeFileSync(
    join(cwd, 'odd.ts'),
    `import { defineTaskset } from '@vf/core';\n${source}\nexport default defineTaskset({ load: ${load} });`,
  );
  for (const command of [
    ['eval', './odd.ts', '-m', 'm', '--provider', 'local'],
    ['tasks', './odd.ts'],
  ]) {
    const { code, stderr } = await vf(command, { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain('the process ended before the command did');
  }
});

test('a promise that a hook leaves to fail is told, and the run goes on', async () => {
  const hook =
    'setup: () => void Promise.reject(new Error("left alone")), rewards: { one: () => 1 }';
  const { code, stderr, stdout } = await evalWith(hook);
  expect(code).toBe(0);
  expect(stderr).toContain('left alone');
  expect(stdout).toMatch(/reward +1\.000/);
});

test('a closed terminal stops a run as cleanly as Ctrl-C', async () => {
  const slow = await startScriptedModel({ script: () => [hang()] });
  const cwd = emptyFolder();
  const running = startVf(
    ['eval', addition, '-n', '2', '-m', 'scripted', '--base-url', `${slow.url}/v1`],
    { cwd },
  );
  await slow.received(2);
  running.process.kill('SIGHUP');
  expect((await running.done).code).toBe(129);
  await slow.close();
});
