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
async function problemsOf(text: string): Promise<string[]> {
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

/** One change to the example, and the places that are told. */
const rejections: readonly [what: string, text: string, ...places: string[]][] = [
  ['an unknown key at the top', mutated('extra', '1'), 'extra'],
  ['an unknown key of the policy', mutated('policy.extra', '1'), 'policy.extra'],
  ['an unknown key of a call', mutated('calls.1.extra', '1'), 'calls[1].extra'],
  [
    'an unknown key of a message',
    mutated('calls.1.context.2.name', '"x"'),
    'calls[1].context[2].name',
  ],
  ['another version', mutated('schema_version', '"hessian.trajectory.v2"'), 'schema_version'],
  ['no episode', mutated('episode_id', '""'), 'episode_id'],
  ['a task that is no text', mutated('task_id', '7'), 'task_id'],
  ['a group of blanks', mutated('group_id', '"  "'), 'group_id'],
  ['a seed below 0', mutated('seed', '-1'), 'seed'],
  ['a seed between integers', mutated('seed', '1.5'), 'seed'],
  ['a seed written as a float', mutated('seed', '7.0'), 'seed'],
  ['a seed that is true', mutated('seed', 'true'), 'seed'],
  ['no seed', mutated('seed'), 'seed'],
  ['a source of its own', mutated('source_kind', '"real"'), 'source_kind'],
  ['revision main', mutated('policy.revision', '"main"'), 'policy.revision'],
  [
    'revision Latest',
    mutated('policy.tokenizer_revision', '"Latest"'),
    'policy.tokenizer_revision',
  ],
  ['revision head', mutated('harness.revision', '"HEAD"'), 'harness.revision'],
  ['an empty revision', mutated('policy.revision', '""'), 'policy.revision'],
  ['no tokenizer', mutated('policy.tokenizer_id'), 'policy.tokenizer_id'],
  [
    'a short template hash',
    mutated('policy.chat_template_sha256', '"0f"'),
    'policy.chat_template_sha256',
  ],
  ['no harness version', mutated('harness.version'), 'harness.version'],
  ['a reward that is text', mutated('reward.value', '"1"'), 'reward.value'],
  ['a reward without end', mutated('reward.value', '1e999'), 'reward.value'],
  ['no reward value', mutated('reward.value'), 'reward.value'],
  ['a reward that is a number', mutated('reward', '1'), 'reward'],
  ['no scorer', mutated('reward.scorer', 'null'), 'reward.scorer'],
  ['no calls', mutated('calls', '[]'), 'calls'],
  ['calls that are no list', mutated('calls', '{}'), 'calls'],
  ['a call that is no object', mutated('calls.0', '[]'), 'calls[0]'],
  ['a call id twice', mutated('calls.1.call_id', '"c0"'), 'calls[1].call_id'],
  [
    'nothing to train',
    mutated('calls.0.response_loss_mask', '[0,0]').replace('[1,1]', '[0,0]'),
    'calls',
  ],
  ['a mask of 2', mutated('calls.0.response_loss_mask', '[1,2]'), 'calls[0].response_loss_mask[1]'],
  [
    'a mask of true',
    mutated('calls.0.response_loss_mask', '[true,1]'),
    'calls[0].response_loss_mask[0]',
  ],
  [
    'a mask of 1.0',
    mutated('calls.0.response_loss_mask', '[1.0,1]'),
    'calls[0].response_loss_mask[0]',
  ],
  ['a short mask', mutated('calls.0.response_loss_mask', '[1]'), 'calls[0].response_loss_mask'],
  ['an id below 0', mutated('calls.0.prompt_token_ids', '[1,-1]'), 'calls[0].prompt_token_ids[1]'],
  [
    'an id written as a float',
    mutated('calls.0.prompt_token_ids', '[1.0]'),
    'calls[0].prompt_token_ids[0]',
  ],
  [
    'an id that is text',
    mutated('calls.0.response_token_ids', '["5",6]'),
    'calls[0].response_token_ids[0]',
  ],
  ['a response of a tool', mutated('calls.0.response_role', '"tool"'), 'calls[0].response_role'],
  ['finish abort', mutated('calls.0.finish_reason', '"abort"'), 'calls[0].finish_reason'],
  ['finish null', mutated('calls.0.finish_reason', 'null'), 'calls[0].finish_reason'],
  [
    'a role developer',
    mutated('calls.0.context.0.role', '"developer"'),
    'calls[0].context[0].role',
  ],
  ['content in parts', mutated('calls.0.context.0.content', '[]'), 'calls[0].context[0].content'],
  [
    'a logprob above 0',
    mutated('calls.0.behavior_logprobs', '[0.1,-1]'),
    'calls[0].behavior_logprobs[0]',
  ],
  [
    'a logprob null',
    mutated('calls.0.behavior_logprobs', '[null,-1]'),
    'calls[0].behavior_logprobs[0]',
  ],
  ['logprobs null', mutated('calls.0.behavior_logprobs', 'null'), 'calls[0].behavior_logprobs'],
  [
    'one logprob too few',
    mutated('calls.0.behavior_logprobs', '[-1]'),
    'calls[0].behavior_logprobs',
  ],
  ['a key twice at the top', line.replace('"seed":7', '"seed":7,"seed":7'), 'seed'],
  ['a key twice, spelt apart', line.replace('"seed":7', '"seed":7,"\\u0073eed":7'), 'seed'],
  [
    'a key twice deep inside',
    line.replace('"role":"tool"', '"role":"tool","role":"tool"'),
    'calls[1].context[2].role',
  ],
  ['NaN', mutated('reward.value', 'NaN'), ''],
  ['half a line', line.slice(0, -10), ''],
  ['a list', '[]', ''],
  ['null', 'null', ''],
];

test.each(rejections)('refuses %s', async (_what, text, ...places) => {
  expect(await problemsOf(text)).toEqual(places.map((place) => `1 ${place}`.trim()));
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
