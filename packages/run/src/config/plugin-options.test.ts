import { z } from '@vf/core';
import { expect, test } from 'vitest';
import { parseOptions } from './plugin-options.ts';

const schema = z.strictObject({
  tasks: z.array(z.string()).default([]),
  sizes: z.array(z.number()).optional(),
  text: z.string().optional(),
  inner: z.strictObject({ names: z.array(z.string()) }).optional(),
});
const parse = (options: Readonly<Record<string, unknown>>) =>
  parseOptions(schema, options, 'taskset t', 'taskset');

test.each([
  [{ tasks: 'a' }, { tasks: ['a'] }],
  [{ tasks: ['a', 'b'] }, { tasks: ['a', 'b'] }],
  [{ sizes: 3 }, { tasks: [], sizes: [3] }],
  [{ inner: { names: 'n' } }, { tasks: [], inner: { names: ['n'] } }],
  [{ text: 'a' }, { tasks: [], text: 'a' }],
])('one value stands for a list of one: %j', (options, value) => {
  expect(parse(options)).toEqual({ value, problems: [] });
});

test('one of another type is refused where it stands', () => {
  expect(parse({ tasks: 3 }).problems).toMatchObject([
    { path: 'taskset.tasks.0', message: expect.stringContaining('expected string') },
  ]);
});
