import { expect, test } from 'vitest';
import { buildError } from '../src/image/build-error.ts';

test('a failing build is told by its last lines, without the colours that programs gave them', async () => {
  const log = [
    'Step 2/2 : RUN aptt-get update\n',
    '\u001b[91m/bin/sh: 1: aptt-get: not found\r\n\u001b[0m',
  ];
  const reason = new Error(
    "The command '/bin/sh -c aptt-get update' returned a non-zero code: 127",
  );
  const recipe = { context: '/tasks/a', dockerfile: 'Dockerfile' };
  const { code, message } = await buildError(reason, recipe, log, '/logs/build.log');
  expect(code).toBe('runtime/build_failed');
  const [first, ...last] = message.split('\n');
  expect(first).toMatch(/Dockerfile cannot be built; its last lines:$/);
  expect(last.slice(0, 2)).toEqual([
    'Step 2/2 : RUN aptt-get update',
    '/bin/sh: 1: aptt-get: not found',
  ]);
  expect(last.at(-1)).toContain('returned a non-zero code: 127');
});

test.each([
  ['network bridge not found', true],
  [
    'failed to create endpoint x on network bridge: adding interface veth1 to bridge docker0 failed: could not find bridge docker0: route ip+net: no such network interface',
    true,
  ],
  ['rpc error: code = Unavailable desc = transport is closing', true],
  [
    'process "/bin/sh -c echo network x not found; exit 1" did not complete successfully: exit code: 1',
    false,
  ],
  ["The command '/bin/sh -c false' returned a non-zero code: 1", false],
])('whether %s may pass: %s', async (words, retryable) => {
  const recipe = { context: '/tasks/a', dockerfile: 'Dockerfile' };
  const error = await buildError(new Error(words), recipe, [], '/logs/build.log');
  expect(error).toMatchObject({ code: 'runtime/build_failed', retryable });
  expect(error.message).toContain(words);
});
