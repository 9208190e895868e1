import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerSums, callTool, fail, say, startScriptedModel, think } from '@vf/testkit';
import type { ScriptedModel } from '@vf/testkit';
import { textOf } from '@vf/core/trace';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addition, emptyFolder, startVf, vf } from './cli.ts';

vi.setConfig({ testTimeout: 120_000 });

let model: ScriptedModel;
const cwd = emptyFolder();
const escape = '\u001b[31m';

/** Question 1 is refused, 2 goes by way of the shell, the others are answered. */
beforeAll(async () => {
  const answer = answerSums();
  model = await startScriptedModel({
    script: (request) => {
      const question = textOf(
        request.messages.findLast(({ role }) => role === 'user')?.content ?? '',
      );
      if (question.includes('1 + 1')) return fail(400, { message: 'no ones, call 4711' });
      if (!question.includes('2 + 2')) return answer(request);
      return request.turn === 0
        ? [think('ask the shell'), callTool('bash', { command: `seq 40; printf '${escape}red'` })]
        : say('It is 4');
    },
  });
  const run = [
    'eval',
    addition,
    '-n',
    '4',
    '--run',
    'mixed',
    '--harness',
    'bash',
    '-m',
    'scripted',
  ];
  const { code, stderr } = await vf([...run, '--base-url', `${model.url}/v1`, '-q'], { cwd });
  if (code !== 3) throw new Error(stderr);
});
afterAll(() => model.close());

const show = (...args: string[]): ReturnType<typeof vf> => vf(['show', ...args], { cwd });

/** The name of the episode whose prompt this is. */
function episodeOf(prompt: string): string {
  const lines = readFileSync(join(cwd, 'outputs/mixed/traces.jsonl'), 'utf8').trimEnd().split('\n');
  const index = readFileSync(join(cwd, 'outputs/mixed/traces.index.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  const at = lines.findIndex((line) => line.includes(prompt));
  const { task, attempt } = JSON.parse(index[at] ?? '') as { task: string; attempt: number };
  return `${task}:${attempt}`;
}

test('runs', async () => {
  const { code, stdout } = await show();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^RUN +TASKSET +MODEL +HARNESS +STATUS +DONE +UNSCORED +REWARD +AGE$/m);
  expect(stdout).toMatch(/^mixed +addition +scripted +bash +complete +4\/4 +1 +1\.000 +\d+ s$/m);
  const json = JSON.parse((await show('--json')).stdout) as Record<string, unknown>;
  expect(json).toMatchObject({ v: 1, runs: [{ run: 'mixed', status: 'complete', planned: 4 }] });
});

test('a run: the table of its end, by name, by folder and as last', async () => {
  const byName = await show('mixed');
  expect(byName.stdout).toContain('addition · scripted · bash · subprocess');
  expect(byName.stdout).toContain('unscored  1 (25 %)');
  expect((await show('outputs/mixed')).stdout).toBe(byName.stdout);
  expect((await show('last')).stdout).toBe(byName.stdout);
  const json = JSON.parse((await show('mixed', '--json')).stdout) as Record<string, unknown>;
  expect(json).toMatchObject({ v: 1, summary: { figures: { scored: 3, unscored: 1 } } });
});

test('episodes by where, tasks by reward', async () => {
  const failed = await show('mixed', '--where', 'err:provider');
  expect(failed.stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(failed.stdout).toContain(episodeOf('1 + 1'));
  const byText = await show('mixed', '--where', '-err:provider "It is 4"');
  expect(byText.stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(byText.stdout).toContain(episodeOf('2 + 2'));
  const json = JSON.parse((await show('mixed', '--where', 'turns>1', '--json')).stdout) as {
    episodes: object[];
  };
  expect(json.episodes).toMatchObject([{ turns: 2, agent_seconds: expect.any(Number) }]);

  const byTask = await show('mixed', '--by', 'task');
  expect(byTask.stdout).toMatch(/^TASK +REWARD/);
  expect(byTask.stdout.trimEnd().split('\n')).toHaveLength(5);

  const wrong = await show('mixed', '--where', 'reword<1 turns>x "open');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/reword<1 +there is no field "reword".*nearest: reward/);
  expect(wrong.stderr).toMatch(/turns>x +x is no number/);
  expect(wrong.stderr).toMatch(/"open +lacks its closing quote/);
});

test('an episode as a conversation: reasoning, tool calls, results folded, control sequences shown', async () => {
  const name = episodeOf('2 + 2');
  const { code, stdout } = await show('mixed', name);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}reward +1\.000 +exactMatch 1\.000 × 1$/m);
  expect(stdout).toContain('  stopped   agent_completed   2 turns');
  expect(stdout).toContain('What is 2 + 2?');
  expect(stdout).toMatch(/^assistant {2}turn 1 {2}call 1 {3}[\d,]+ in/m);
  expect(stdout).toContain('  │ ask the shell');
  expect(stdout).toContain('  → bash');
  expect(stdout).toMatch(/^tool {2}bash/m);
  expect(stdout).toMatch(/… \d+ lines, \d+ B \(--full\)/);
  expect(stdout).toMatch(/^assistant {2}turn 2 {2}call 2/m);
  expect(stdout).not.toContain('\u001b');

  const full = await show('mixed', name, '--full');
  expect(full.stdout).toContain('  40');
  expect(full.stdout).toContain('␛[31mred');
  expect(full.stdout).not.toContain('--full');

  const colours = await vf(['show', 'mixed', name], { cwd, env: { FORCE_COLOR: '1' } });
  expect(colours.stdout).toContain('\u001b[32massistant\u001b[39m');
  const none = await vf(['show', 'mixed', name], { cwd, env: { NO_COLOR: '1' } });
  expect(none.stdout).not.toContain('\u001b');
});

test('one call, one branch, the record', async () => {
  const name = episodeOf('2 + 2');
  const call = await show('mixed', name, '--call', '2');
  expect(call.stdout).toMatch(/call 2, attempt 1\n {2}endpoint/);
  expect(call.stdout).toContain('It is 4');
  expect(call.stdout).not.toContain('What is 2 + 2?');
  const branch = await show('mixed', name, '--branch', '1');
  expect(branch.stdout).toContain('What is 2 + 2?');
  const missing = await show('mixed', name, '--call', '3');
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.stderr).toContain('the episode has no call 3\n  fix: --call 1 … 2');

  const raw = await show('mixed', name, '--raw');
  const stored = readFileSync(join(cwd, 'outputs/mixed/traces.jsonl'), 'utf8');
  expect(stored).toContain(raw.stdout);
  const json = JSON.parse((await show('mixed', name, '--json')).stdout) as { record: object };
  expect(json).toMatchObject({ v: 1, run: 'mixed', index: { reward: 1 } });
  expect(json.record).toEqual(JSON.parse(raw.stdout));
});

test('an episode is found by its id; a name that is none says what is near', async () => {
  const name = episodeOf('0 + 0');
  const id = /episode (\S+)/.exec((await show('mixed', name)).stdout)?.[1] ?? '';
  expect((await show('mixed', id.slice(0, 8))).stdout).toContain(`episode ${id}`);
  const { code, stderr } = await show('mixed', `${name.slice(0, -1)}9`);
  expect(code).toBe(2);
  expect(stderr).toContain('no episode');
  expect(stderr).toContain('nearest: ');
});

test('a reader that leaves early, as head does, is no fault', async () => {
  const running = startVf(['show', 'mixed', episodeOf('2 + 2'), '--full'], { cwd });
  running.process.stdout?.destroy();
  const { code, stderr } = await running.done;
  expect(stderr).toBe('');
  expect(code).toBe(0);
});
