import { expect, test } from 'vitest';
import { defineTaskset, rawToolProblems, tasksetProblems, z } from '../src/index.ts';

/** Paths of what is wrong with a taskset of these fields, as JavaScript may write them; with the name that was meant. */
function wrong(fields: object): string[] {
  const spec = Object.assign(defineTaskset({ load: () => [] }).spec, fields);
  return tasksetProblems(spec, 'sums').map(({ path = '', nearest }) =>
    nearest === undefined ? path : `${path} → ${nearest}`,
  );
}

const run = (): string => '';
const input = z.object({ word: z.string() });
const look = { description: 'Looks a word up.', input, run };

test('a taskset that uses every field is well', () => {
  const fields = {
    name: 'sums',
    data: input,
    config: input,
    state: () => ({}),
    infinite: false,
    needs: { tools: true },
    setup: run,
    finalize: run,
    validate: run,
    next: run,
    tools: { look: { ...look, timeoutMs: 5 }, bare: { ...look, input: z.looseObject({}) } },
    rewards: { right: run, brief: { score: run, weight: 2, priority: 1 } },
    groupRewards: { best: run },
    metrics: { length: run },
    stops: { done: run },
    intercept: { request: run, response: run },
    judges: [],
  };
  expect(wrong(fields)).toEqual([]);
  expect(wrong({ validate: undefined, tools: undefined, rewards: undefined })).toEqual([]);
});

test.each<[object, string[]]>([
  [{ reward: { right: run }, load: [] }, ['reward → rewards', 'load']],
  [{ setup: {}, next: 'x' }, ['setup', 'next']],
  [
    { rewards: { right: 1, brief: { wieght: 2 } } },
    ['rewards.right', 'rewards.brief.wieght → weight', 'rewards.brief.score'],
  ],
  [
    { metrics: { a: 1 }, stops: { b: true }, groupRewards: { c: null } },
    ['groupRewards.c', 'metrics.a', 'stops.b'],
  ],
  [{ intercept: { reply: run }, needs: { tool: true } }, ['intercept.reply', 'needs.tool → tools']],
])('%o is refused', (fields, expected) => {
  expect(wrong(fields)).toEqual(expected);
});

test.each<[unknown, string[]]>([
  [run, ['tools.look']],
  [null, ['tools.look']],
  [
    { description: '', parameters: input, execute: run },
    [
      'tools.look.parameters → input',
      'tools.look.execute → run',
      'tools.look.input',
      'tools.look.run',
    ],
  ],
  [{ ...look, input: { type: 'object' } }, ['tools.look.input']],
  [{ ...look, input: z.string() }, ['tools.look.input']],
  [{ ...look, input: z.object({ at: z.date() }) }, ['tools.look.input']],
  [{ ...look, description: undefined }, ['tools.look.description']],
])('a tool that is %o is refused', (tool, expected) => {
  expect(wrong({ tools: { look: tool } })).toEqual(expected);
});

test.each<[unknown, string[]]>([
  [{ description: '', inputSchema: { type: 'object' }, run }, []],
  [{ description: '', input, run }, ['tools.look.input', 'tools.look.inputSchema']],
  [null, ['tools.look']],
  [{ inputSchema: {} }, ['tools.look.run']],
])('a tool of setup that is %o', (tool, expected) => {
  expect(rawToolProblems({ look: tool }).map(({ path }) => path)).toEqual(expected);
});
