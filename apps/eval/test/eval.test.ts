import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, startScriptedModel } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addition, emptyFolder, eventsOf, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

let model: ScriptedModel;
const cwd = emptyFolder();
const key = 'sk-a-key-that-must-not-leave-7f3a';

beforeAll(async () => {
  model = await startScriptedModel({ script: answerSums(), key });
});
afterAll(() => model.close());

const toModel = (): string[] => [
  '-m',
  'scripted',
  '--base-url',
  `${model.url}/v1`,
  '--api-key-var',
  'SCRIPTED_KEY',
];
const env = { SCRIPTED_KEY: key };

/** All files below a folder. */
function filesIn(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('a taskset given as a path runs in an empty folder, and the summary says how it went', async () => {
  const { code, stdout, stderr } = await vf(
    ['eval', addition, '-n', '4', '-r', '2', '--run', 'sums', ...toModel()],
    { cwd, env },
  );
  expect(stderr).toContain('addition · scripted · null · subprocess   outputs/sums');
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(
    /^addition · scripted · null · subprocess {7}8 rollouts, 4 tasks × 2 {4}/,
  );
  expect(lines[1]).toBe(`${' '.repeat(20)}mean    95 % interval        n`);
  expect(lines[2]).toBe(
    '  reward           1.000    0.283 … 1.000        8      by task, clustered',
  );
  expect(stdout).toContain('  turns              1.0    –                    8');
  expect(stdout).toContain('  pass@1 1.00   pass@2 1.00   pass^2 1.00');
  expect(stdout).toContain('  stopped   agent_completed 8');
  expect(stdout).toContain('cost –');
  expect(stdout).toMatch(/ {2}traces {4}outputs\/sums\/traces\.jsonl {2}\(\d/);

  const dir = join(cwd, 'outputs/sums');
  expect(readFileSync(join(dir, 'traces.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(8);
  expect(JSON.parse(readFileSync(join(dir, 'summary.json'), 'utf8'))).toMatchObject({
    v: 2,
    status: 'complete',
    figures: { rollouts: 8, bounds: { all_zero: 1 } },
  });
  const leaks = filesIn(cwd).filter((file) => readFileSync(file).includes(key));
  expect(leaks).toEqual([]);
});

test('the config of a run runs again as it is', async () => {
  const folder = join(cwd, 'outputs/sums/config.toml');
  const again = await vf(['eval', `@${folder}`, '--run', 'again', '-q'], { cwd, env });
  expect(again.stderr).toBe('');
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('8 rollouts, 4 tasks × 2');
});

test('--json writes each event on a line, and no text of model or task', async () => {
  const { code, stdout, stderr } = await vf(
    ['eval', 'gsm8k', '-n', '2', '--json', '--runtime', 'subprocess', ...toModel()],
    { cwd, env },
  );
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const events = eventsOf(stdout);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i));
  for (const event of events)
    expect(event).toMatchObject({ v: 1, time: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(events[0]).toMatchObject({
    type: 'run.planned',
    tasks: 2,
    rollouts: 2,
    problems: [],
    config: { model: 'scripted', taskset: { id: 'gsm8k' } },
  });
  expect(events[1]).toMatchObject({ type: 'run.started', pid: expect.any(Number), done: 0 });
  const phases = events.filter(({ type }) => type === 'rollout.phase').map(({ phase }) => phase);
  expect(new Set(phases)).toEqual(
    new Set(['boot', 'setup', 'agent', 'finalize', 'scoring', 'done']),
  );
  const finished = events.filter(({ type }) => type === 'rollout.finished');
  expect(finished).toHaveLength(2);
  expect(finished[0]).toMatchObject({
    reward: 0,
    rewards: { exactMatch: 0 },
    stop: 'agent_completed',
    error: null,
    usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    cost: null,
    timing: { start: expect.any(Number), end: expect.any(Number) },
    offset: expect.any(Number),
    length: expect.any(Number),
  });
  expect(events.at(-1)).toMatchObject({
    type: 'run.finished',
    status: 'complete',
    exit_code: 0,
    summary: { v: 2, taskset: 'gsm8k', figures: { scored: 2 } },
  });
  expect(stdout).not.toContain('Janet');
  expect(stdout).not.toContain(key);
});

test('--dry-run prints each value with its source and starts nothing', async () => {
  const before = model.requests.length;
  const { code, stdout } = await vf(['eval', addition, '-n', '3', '--dry-run', ...toModel()], {
    cwd,
    env,
  });
  expect(code).toBe(0);
  expect(stdout).toContain('3 tasks × 1 = 3 rollouts, 32 at once; nothing was started');
  expect(stdout).toMatch(/ {2}model +"scripted" +\(--model\)/);
  expect(stdout).toMatch(/ {2}max_concurrent +32 +\(built-in\)/);
  expect(model.requests.length).toBe(before);

  const json = await vf(['eval', addition, '-n', '3', '--dry-run', '--json', ...toModel()], {
    cwd,
    env,
  });
  expect(JSON.parse(json.stdout)).toMatchObject({ v: 1, rollouts: 3 });
});

test('stdout that closes early does not end a run', async () => {
  const run = ['eval', addition, '-n', '5', '--json', '--run', 'unread', ...toModel()];
  const { startVf } = await import('./cli.ts');
  const running = startVf(run, { cwd, env });
  await running.seen('run.planned');
  running.process.stdout?.destroy();
  expect((await running.done).code).toBe(0);
  const traces = readFileSync(join(cwd, 'outputs/unread/traces.jsonl'), 'utf8');
  expect(traces.trimEnd().split('\n')).toHaveLength(5);
});
