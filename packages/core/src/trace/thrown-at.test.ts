import { expect, test } from 'vitest';
import { thrownAt } from './thrown-at.ts';

const stackOf = (...frames: string[]): string =>
  ['TypeError: no', ...frames.map((frame) => `    at ${frame}`)].join('\n');

test.each([
  [
    'a named function of a module',
    ['exact (file:///home/me/sums.ts:25:113)'],
    '/home/me/sums.ts:25:113',
  ],
  ['a module without a function', ['file:///home/me/sums.ts:25:113'], '/home/me/sums.ts:25:113'],
  ['an awaited one', ['async file:///home/me/sums.ts:1:2'], '/home/me/sums.ts:1:2'],
  ['a path', ['Object.exact (/home/me/sums.cjs:3:4)'], '/home/me/sums.cjs:3:4'],
  ['one loaded anew', ['exact (file:///home/me/sums.ts?t=17:5:6)'], '/home/me/sums.ts:5:6'],
  [
    'a name with spaces',
    ['exact (file:///home/me/my%20(new)%20sums.ts:5:6)'],
    '/home/me/my (new) sums.ts:5:6',
  ],
  [
    'behind Node and dependencies',
    [
      'JSON.parse (<anonymous>)',
      'node:internal/process/task_queues:95:5',
      'parse (file:///home/me/node_modules/zod/index.js:1:1)',
      'check (file:///home/me/src/check.ts:7:8)',
      'exact (file:///home/me/sums.ts:9:9)',
    ],
    '/home/me/src/check.ts:7:8',
  ],
  [
    'only of vf',
    [`score (${new URL('../../../rollout/src/scoring.ts', import.meta.url).href}:42:29)`],
    null,
  ],
  ['nothing but a message', [], null],
])('%s', (_, frames, place) => {
  expect(thrownAt(stackOf(...frames))).toBe(place);
});

test.each([
  ['/home/me/sums.ts', '/home/me/sums.ts:3:9'],
  ['file:///home/me/my%20sums.ts', '/home/me/my sums.ts:3:9'],
  ['/home/me/node_modules/zod/index.js', null],
])('what does not parse in %s', (file, place) => {
  const code = 'export default {\n  load: ,\n        ^';
  const stack = `${file}:3\n${code}\n};\n\nSyntaxError: Unexpected token\n    at parse (node:internal/modules/typescript:61:36)`;
  expect(thrownAt(stack)).toBe(place);
});

test('a message that quotes frames is not where it threw', () => {
  const message = 'Error: the program said\n    at fake (file:///home/me/fake.ts:1:1)\nand left';
  expect(thrownAt(`${message}\n    at exact (file:///home/me/sums.ts:2:3)`)).toBe(
    '/home/me/sums.ts:2:3',
  );
});
