import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCodes } from '@vf/core/errors';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const files = execFileSync('git', ['ls-files', '-z', '*.ts'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((path) => path !== '' && path !== 'packages/core/src/errors/codes.ts');
const isTest = (path: string): boolean =>
  /\.test\.ts$|\/test\/|^tests\/|testkit\/src\/conformance/.test(path);
const textOf = (paths: readonly string[]): string =>
  paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');

const codes = Object.keys(errorCodes);

test('every error code is met in a test', () => {
  // In a regular expression the slash of a code is escaped.
  const tests = textOf(files.filter(isTest)).replaceAll(String.raw`\/`, '/');
  expect(codes.filter((code) => !tests.includes(code))).toEqual([]);
});

test('every error code can come', () => {
  const sources = textOf(files.filter((path) => !isTest(path)));
  expect(codes.filter((code) => !sources.includes(code))).toEqual([]);
});
