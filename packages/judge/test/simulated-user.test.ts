import { makeTrace } from '@vf/testkit';
import { expect, test } from 'vitest';
import { simulatedUser } from '../src/index.ts';
import { ctxOf, textOfQuestion } from './world.ts';

const options = { name: 'reader', persona: 'Brief.', goal: 'A shorter text.' };
const says = (message: string, done = false) => JSON.stringify({ message, done });

test('it speaks until it is done, and knows what was said before', async () => {
  const next = simulatedUser({ ...options, stop: 'It has one line.' });
  const { ctx, trace, heard } = ctxOf((_question, nth) =>
    nth === 3 ? says('thanks', true) : says(`shorter ${nth}`),
  );
  expect(await next(ctx)).toEqual({ prompt: 'shorter 1', session: 'resume', user: 'reader' });
  expect(trace.info['users']).toEqual({ reader: { turns: 1, ended: null } });
  trace.rootReply = 'a shorter poem';
  expect(await next(ctx)).toMatchObject({ prompt: 'shorter 2' });
  expect(await next(ctx)).toBeNull();
  expect(trace.info['users']).toEqual({ reader: { turns: 2, ended: 'done' } });
  expect(heard.every(({ cached }) => !cached)).toBe(true);
  const [first = '', , last = ''] = heard.map((question) => textOfQuestion(question));
  expect(first).toContain('Who you are: Brief.\nWhat you want: A shorter text.');
  expect(first).toContain('When you are done: It has one line.');
  expect(first).toMatch(/<<<you-1 \w+\nWrite a poem\.\n/);
  expect(last).toMatch(/<<<you-2 \w+\nshorter 1\n.*<<<assistant-2 \w+\na shorter poem\n/s);
  expect(last).toMatch(/<<<you-3 \w+\nshorter 2\n/);
});

test('after its last turn it is not asked any more', async () => {
  const next = simulatedUser({ ...options, maxTurns: 1 });
  const { ctx, trace, heard } = ctxOf(() => says('go on'));
  expect(await next(ctx)).not.toBeNull();
  expect(await next(ctx)).toBeNull();
  expect(heard).toHaveLength(1);
  expect(trace.info['users']).toEqual({ reader: { turns: 1, ended: 'max_turns' } });
});

test('rollouts do not hear of each other', async () => {
  const next = simulatedUser(options);
  const one = ctxOf(() => says('to the first'));
  const other = ctxOf(() => says('to the second'), { trace: makeTrace({ id: 'other' }) });
  await next(one.ctx);
  await next(other.ctx);
  expect(other.heard.map((question) => textOfQuestion(question)).join()).not.toContain('first');
});

test.each([
  ['', 'it is empty'],
  ['Sure!', 'it holds no JSON object'],
  ['{"message": "", "done": false}', 'a message, or done'],
  ['{"message": "x"}', 'done'],
])('%j is nothing that a user could say', async (reply, problem) => {
  await expect(simulatedUser(options)(ctxOf(() => reply).ctx)).rejects.toThrow(problem);
});

test('the number of turns must be one', () => {
  expect(() => simulatedUser({ ...options, maxTurns: 0 })).toThrow('maxTurns must be 1 or more');
});
