import { expect, test } from 'vitest';
import { parseCommandLine } from '../src/args/parse-args.ts';

function parsed(...argv: readonly string[]) {
  const { positionals, files, raw } = parseCommandLine(argv, {
    booleans: [],
    values: [],
    config: true,
  });
  return { positionals, files, raw: raw.map(({ name, text }) => [name, text]) };
}

test('@ before a file, with a space or without', () => {
  expect(parsed('gsm8k', '@', 'a.toml', '@b.toml', '@dir/c.toml')).toEqual({
    positionals: ['gsm8k'],
    files: ['a.toml', 'b.toml', 'dir/c.toml'],
    raw: [],
  });
});

test('a plugin of a package with a scope is no file', () => {
  expect(parsed('@acme/vf-taskset-sql#sql', '--harness', '@acme/vf-harness-x#x')).toEqual({
    positionals: ['@acme/vf-taskset-sql#sql'],
    files: [],
    raw: [['harness', '@acme/vf-harness-x#x']],
  });
});

test('a duration is the value of its flag, and the word after a switch is not', () => {
  expect(parsed('gsm8k', '--interception.early-head', '5s', '--shuffle', '@', 'a.toml')).toEqual({
    positionals: ['gsm8k'],
    files: ['a.toml'],
    raw: [
      ['interception.early-head', '5s'],
      ['shuffle', null],
    ],
  });
});
