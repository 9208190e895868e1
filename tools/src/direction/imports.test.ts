import { expect, test } from 'vitest';

import { importsOf } from './imports.ts';

function found(text: string): [string, boolean][] {
  return importsOf('a.ts', text).map(({ specifier, typeOnly }) => [specifier, typeOnly]);
}

test.each([
  ["import { a } from 'x';", false],
  ["import 'x';", false],
  ["import * as a from 'x';", false],
  ["export { a } from 'x';", false],
  ["export * from 'x';", false],
  ["const a = await import('x');", false],
  ["import a, { type B } from 'x';", false],
  ["import type { A } from 'x';", true],
  ["import type A from 'x';", true],
  ["export type { A } from 'x';", true],
  ["export type * from 'x';", true],
])('%s', (text, typeOnly) => {
  expect(found(text)).toEqual([['x', typeOnly]]);
});

test('what only looks like an import is none', () => {
  expect(found("// import 'x'\nconst a = `import 'y'`;\nexport const b = import(a);")).toEqual([]);
});

test('imports come in the order of the text, with their lines', () => {
  const text = "import { a } from 'x';\n\nexport { b } from 'y';\nconst c = import('z');";
  expect(importsOf('a.ts', text).map(({ specifier, line }) => [specifier, line])).toEqual([
    ['x', 1],
    ['y', 3],
    ['z', 4],
  ]);
});
