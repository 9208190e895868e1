import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import taskset from './index.ts';
import { readProblems } from './problems.ts';
import { exactMatch, marked } from './scoring.ts';

const never = new AbortController().signal;
const problems = await readProblems(never);

/** The answers as the data set's authors take them: what follows `####`, without commas. */
const published = readFileSync(new URL('../data/test.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line).answer.split('#### ')[1].replaceAll(',', ''));

test('all 1,319 problems, each with its own key and the published answer', () => {
  expect(problems).toHaveLength(1319);
  expect(new Set(problems.map((problem) => problem.key)).size).toBe(1319);
  expect(problems[0]?.key).toBe('test/0001');
  expect(problems.at(-1)?.key).toBe('test/1319');
  expect(problems.map((problem) => `${problem.answer}`)).toEqual(published);
});

test('every reference solution scores full marks and is marked as asked', () => {
  for (const task of problems) {
    const trace = { lastReply: task.solution };
    expect([task.key, exactMatch({ task, trace }), marked({ trace })]).toEqual([task.key, 1, 1]);
  }
});

test('doing nothing scores none', () => {
  for (const task of problems) {
    expect(exactMatch({ task, trace: { lastReply: null } })).toBe(0);
    expect(exactMatch({ task, trace: { lastReply: '' } })).toBe(0);
  }
});

test('repeating the question scores only where the answer happens to be its last number', () => {
  const lucky = problems.filter((task) =>
    exactMatch({ task, trace: { lastReply: task.question } }),
  );
  expect(lucky.length).toBeLessThan(0.03 * problems.length);
});

test('a wrong number, one off, scores none', () => {
  for (const task of problems) {
    const lastReply = `${task.solution}\nWait.\n#### ${task.answer + 1}`;
    expect(exactMatch({ task, trace: { lastReply } })).toBe(0);
  }
});

async function firstRowWith(given: object) {
  const config = taskset.spec.config?.parse(given);
  for await (const row of await taskset.spec.load({ config, signal: never })) return row;
  throw new Error('no rows');
}

test('rows as a run sees them: question and instruction, which the config may drop', async () => {
  const first = await firstRowWith({});
  expect(first).toMatchObject({ key: 'test/0001', answer: 18 });
  expect(first.prompt).toMatch(/^Janet’s ducks lay 16 eggs .*\n\nReason step by step\./);
  expect(first).not.toHaveProperty('question');
  const plain = await firstRowWith({ instruction: '' });
  expect(plain.prompt).toMatch(/market\?$/);
  expect(taskset.spec.data?.safeParse(first).success).toBe(true);
});

test('loading stops when the run does', async () => {
  await expect(readProblems(AbortSignal.abort())).rejects.toThrow('abort');
});
