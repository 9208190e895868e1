import { expect, test } from 'vitest';
import { engineWords, startFailure } from '../src/exec/refusals.ts';

const heads = (stdout: string, stderr = '') => ({ stdout, stderr });

test.each([
  'OCI runtime exec failed: exec failed: unable to start container process: exec: "nix": not found',
  'unable to find user nobody-here: no matching entries in passwd file',
  'cannot exec in a stopped container',
  // Containerd 2, while the box was being killed.
  'ttrpc: closed: unknown\n',
  'ttrpc: server closed',
])('%j is the engine that started no program', (words) => {
  expect(startFailure(126, heads(words))).toBe(words.trim());
});

test.each([
  [0, 'ttrpc: closed: unknown\n'],
  [1, 'OCI runtime exec failed'],
  [126, 'ttrpc: closed: unknown\nand more of it'],
  [127, 'sh: nix: not found'],
])('a program may end with %i and say %j', (exitCode, words) => {
  expect(startFailure(exitCode, heads(words))).toBeNull();
});

test.each([
  'task edb615529021 not found: not found\r\n',
  'container is not running\r\n',
  'cannot exec in a deleted state: unknown\r\n',
])('%j may be the engine, of a box that dies', (words) => {
  expect(engineWords(126, heads(words))).toBe(words.trim());
});

test.each([
  [1, 'container is not running\r\n', ''],
  [126, 'container is not running\n', ''],
  [126, 'one\r\ntwo\r\n', ''],
  [126, 'container is not running\r\n', 'and an error'],
])('%i with %j and %j is the program alone', (exitCode, stdout, stderr) => {
  expect(engineWords(exitCode, heads(stdout, stderr))).toBeNull();
});

test('Podman tells its words apart from output', () => {
  const words = 'Error: crun: executable file `nix` not found: OCI runtime attempted to invoke';
  expect(startFailure(127, heads('', words))).toBe('crun: executable file `nix` not found');
});
