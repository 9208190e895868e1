import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTrajectories, trajectoryLines } from '../src/index.ts';
import { example, mutated } from './example.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vf-hessian-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Every problem of a file as `line path`. */
async function problemsOf(text: string | Uint8Array): Promise<string[]> {
  const path = join(folder, 'file.jsonl');
  await writeFile(path, text);
  const problems: string[] = [];
  for await (const line of trajectoryLines(path))
    problems.push(...line.problems.map((each) => `${line.line} ${each.path}`.trim()));
  return problems;
}

const line = JSON.stringify(example());

test('the example is sound, with and without logprobs', async () => {
  expect(await problemsOf(`${line}\n`)).toEqual([]);
  expect(await problemsOf(mutated('calls.0.behavior_logprobs'))).toEqual([]);
  expect(await problemsOf('')).toEqual([]);
});

test('a float is a number wherever one is due', async () => {
  expect(await problemsOf(mutated('reward.value', '1.0'))).toEqual([]);
  expect(await problemsOf(mutated('calls.0.behavior_logprobs', '[-1.0,-0.0]'))).toEqual([]);
});

/** One value of the example changed, or its key left out; told at its own place unless another is named. */
const changes: readonly [what: string, path: string, json: string | undefined, place?: string][] = [
  ['an unknown key at the top', 'extra', '1'],
  ['an unknown key of the policy', 'policy.extra', '1'],
  ['an unknown key of a call', 'calls.1.extra', '1'],
  ['an unknown key of a message', 'calls.1.context.2.name', '"x"'],
  ['another version', 'schema_version', '"hessian.trajectory.v2"'],
  ['no episode', 'episode_id', '""'],
  ['a task that is no text', 'task_id', '7'],
  ['a group of blanks', 'group_id', '"  "'],
  ['a seed below 0', 'seed', '-1'],
  ['a seed between integers', 'seed', '1.5'],
  ['a seed written as a float', 'seed', '7.0'],
  ['a seed that is true', 'seed', 'true'],
  ['no seed', 'seed', undefined],
  ['a source of its own', 'source_kind', '"real"'],
  ['revision main', 'policy.revision', '"main"'],
  ['revision Latest', 'policy.tokenizer_revision', '"Latest"'],
  ['revision head', 'harness.revision', '"HEAD"'],
  ['revision latest of the scorer', 'reward.scorer_revision', '"latest"'],
  ['an empty revision', 'policy.revision', '""'],
  ['no tokenizer', 'policy.tokenizer_id', undefined],
  ['a short template hash', 'policy.chat_template_sha256', '"0f"'],
  ['no harness version', 'harness.version', undefined],
  ['a reward that is text', 'reward.value', '"1"'],
  ['a reward without end', 'reward.value', '1e999'],
  ['no reward value', 'reward.value', undefined],
  ['a reward that is a number', 'reward', '1'],
  ['no scorer', 'reward.scorer', 'null'],
  ['no calls', 'calls', '[]'],
  ['calls that are no list', 'calls', '{}'],
  ['a call that is no object', 'calls.0', '[]'],
  ['a call id twice', 'calls.1.call_id', '"c0"'],
  ['a mask of 2', 'calls.0.response_loss_mask', '[1,2]', 'calls[0].response_loss_mask[1]'],
  ['a mask of true', 'calls.0.response_loss_mask', '[true,1]', 'calls[0].response_loss_mask[0]'],
  ['a mask of 1.0', 'calls.0.response_loss_mask', '[1.0,1]', 'calls[0].response_loss_mask[0]'],
  ['a short mask', 'calls.0.response_loss_mask', '[1]'],
  ['an id below 0', 'calls.0.prompt_token_ids', '[1,-1]', 'calls[0].prompt_token_ids[1]'],
  ['an id written as a float', 'calls.0.prompt_token_ids', '[1.0]', 'calls[0].prompt_token_ids[0]'],
  ['an id that is text', 'calls.0.response_token_ids', '["5",6]', 'calls[0].response_token_ids[0]'],
  ['a response of a tool', 'calls.0.response_role', '"tool"'],
  ['finish abort', 'calls.0.finish_reason', '"abort"'],
  ['finish null', 'calls.0.finish_reason', 'null'],
  ['a role developer', 'calls.0.context.0.role', '"developer"'],
  ['content in parts', 'calls.0.context.0.content', '[]'],
  ['a logprob above 0', 'calls.0.behavior_logprobs', '[0.1,-1]', 'calls[0].behavior_logprobs[0]'],
  ['a logprob null', 'calls.0.behavior_logprobs', '[null,-1]', 'calls[0].behavior_logprobs[0]'],
  ['logprobs null', 'calls.0.behavior_logprobs', 'null'],
  ['one logprob too few', 'calls.0.behavior_logprobs', '[-1]'],
  ['NaN', 'reward.value', 'NaN', ''],
];

test.each(changes)('refuses %s', async (_what, path, json, place = bracketed(path)) => {
  expect(await problemsOf(mutated(path, json))).toEqual([`1 ${place}`.trim()]);
});

/** `calls.0.call_id` as problems write it. */
function bracketed(path: string): string {
  return path.replaceAll(/\.(\d+)/g, '[$1]');
}

/** Lines that are no change of one value. */
const lines: readonly [what: string, text: string, place: string][] = [
  [
    'nothing to train',
    mutated('calls.0.response_loss_mask', '[0,0]').replace('[1,1]', '[0,0]'),
    'calls',
  ],
  ['a key twice at the top', line.replace('"seed":7', '"seed":7,"seed":7'), 'seed'],
  ['a key twice, spelt apart', line.replace('"seed":7', '"seed":7,"\\u0073eed":7'), 'seed'],
  [
    'a key twice deep inside',
    line.replace('"role":"tool"', '"role":"tool","role":"tool"'),
    'calls[1].context[2].role',
  ],
  ['half a line', line.slice(0, -10), ''],
  ['a list', '[]', ''],
  ['null', 'null', ''],
];

test.each(lines)('refuses %s', async (_what, text, place) => {
  expect(await problemsOf(text)).toEqual([`1 ${place}`.trim()]);
});

test('tells all problems of all lines at once', async () => {
  const text = [
    mutated('seed', '-1').replace('"fixture"', '"real"'),
    line,
    '{',
    mutated('calls', '[]'),
  ].join('\n');
  expect(await problemsOf(text)).toEqual(['1 seed', '1 source_kind', '3', '4 calls']);
});

/** What would be a fault of the reader if it were not told of the line. */
test.each<[string, string | Uint8Array]>([
  ['is nested as deep as no stack reaches', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
  ['is no UTF-8', Buffer.from(line.replace('"add-1"', '"\u00ff"'), 'latin1')],
  ['begins with a mark of the byte order', `\ufeff${line}`],
  ['has a number that is none', mutated('reward.value', 'NaN')],
])('a line that %s is told with its number', async (_what, text) => {
  const bytes = Buffer.concat([Buffer.from(`${line}\n`), Buffer.from(text)]);
  expect(await problemsOf(bytes)).toEqual(['2']);
});

test('a string may be as long as it likes, and escape what it likes', async () => {
  const long = 'x\\\\\\"'.repeat(2_000_000);
  expect(await problemsOf(mutated('task_id', `"${long}"`))).toEqual([]);
  expect(await problemsOf(mutated('extra', `"${long}"`))).toEqual(['1 extra']);
});

test('a blank line is allowed as the last one alone', async () => {
  expect(await problemsOf(`${line}\n\n`)).toEqual([]);
  expect(await problemsOf(`${line}\n\n${mutated('episode_id', '"e2"')}\n`)).toEqual(['2']);
});

test('an episode stands once in a file', async () => {
  expect(await problemsOf(`${line}\n${line}\n`)).toEqual(['2 episode_id']);
});

describe('all of a group are measured alike', () => {
  const second = (path: string, json: string): string =>
    mutated(path, json).replace('"e1"', '"e2"');

  test.each([
    ['task_id', '"add-2"'],
    ['policy.model_id', '"other"'],
    ['policy.revision', '"b1"'],
    ['policy.tokenizer_id', '"other"'],
    ['policy.tokenizer_revision', '"b1"'],
    ['harness.name', '"other"'],
    ['harness.version', '"2"'],
    ['reward.scorer', '"other"'],
    ['policy.chat_template_sha256', `"${'1f'.repeat(32)}"`],
    ['harness.revision', '"b1"'],
    ['reward.scorer_revision', '"2"'],
  ])('%s', async (path, json) => {
    expect(await problemsOf(`${line}\n${second(path, json)}\n`)).toEqual([`2 ${path}`]);
  });

  test('seed and reward may differ, and so may all of another group', async () => {
    const other = second('seed', '8').replace('"value":1.5', '"value":0');
    expect(await problemsOf(`${line}\n${other}\n`)).toEqual([]);
    const apart = second('task_id', '"add-2"').replace('"g1"', '"g2"');
    expect(await problemsOf(`${line}\n${apart}\n`)).toEqual([]);
  });
});

test('reading fails as a whole, with every problem and its line', async () => {
  const path = join(folder, 'read.jsonl');
  await writeFile(path, `${line}\n${mutated('seed', '-1')}\n`);
  await expect(readTrajectories(path)).rejects.toMatchObject({
    code: 'store/damaged',
    problems: [{ file: path, line: 2, path: 'seed' }],
  });
});
