import { expect, test } from 'vitest';
import { withoutCanary } from './canary.ts';

test.each([
  ['<!-- a CANARY line -->\n\n  \nDo it.\n', 'Do it.\n'],
  ['# canary GUID 1\n<!-- canary -->\nDo it.', 'Do it.'],
  ['\nDo it.', '\nDo it.'],
  ['# Title\n\nDo it.', '# Title\n\nDo it.'],
  ['Do it.\n# canary\n', 'Do it.\n# canary\n'],
  ['the canary sings\n', 'the canary sings\n'],
  ['<!-- canary --> Do it.', '<!-- canary --> Do it.'],
  ['# canary\r\n\r\nDo it.\r\n', 'Do it.\r\n'],
  ['# canary', ''],
])('%j', (instruction, left) => {
  expect(withoutCanary(instruction)).toBe(left);
});
