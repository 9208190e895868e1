import { expect, test } from 'vitest';
import { engineError } from './engine-error.ts';

const system = (code: string): Error => Object.assign(new Error(`connect ${code} x`), { code });

test.each([
  ['EACCES', 'may not be used', 'usermod -aG docker'],
  ['ENOENT', 'does not answer', 'systemctl start docker'],
  ['ECONNREFUSED', 'does not answer', 'systemctl start docker'],
])('%s of the socket is an engine that %s', (code, words, hint) => {
  expect(engineError(system(code), 'runtime/boot_failed', 'box')).toMatchObject({
    code: 'runtime/engine_gone',
    retryable: false,
    message: expect.stringContaining(words) as string,
    hint: expect.stringContaining(hint) as string,
  });
});

test.each([
  [400, false],
  [500, true],
])('a refusal with status %i keeps its code; trying again helps: %s', (statusCode, retryable) => {
  const refusal = Object.assign(new Error('(HTTP) no'), { statusCode, json: { message: 'why' } });
  expect(engineError(refusal, 'runtime/boot_failed', 'box')).toMatchObject({
    code: 'runtime/boot_failed',
    retryable,
    message: 'box: why',
  });
});

test('no space is told as that, and not tried again', () => {
  const words = 'Error processing tar file: write /tests/test.sh: no space left on device';
  const refusal = Object.assign(new Error('(HTTP) no'), {
    statusCode: 500,
    json: { message: words },
  });
  expect(engineError(refusal, 'runtime/exec_failed', 'box')).toMatchObject({
    code: 'runtime/disk_full',
    retryable: false,
    message: `box: ${words}`,
  });
});
