import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { emptyFolder, vf } from './cli.ts';

vi.setConfig({ testTimeout: 60_000 });

const cwd = emptyFolder();
const importing = `import { defineTaskset } from '@vf/core';\n`;

async function told(name: string, source: string): Promise<string> {
  writeFileSync(join(cwd, name), source);
  const { code, stderr } = await vf(['tasks', `./${name}`], { cwd });
  expect(code).toBe(2);
  return stderr;
}

test.each([
  ['no syntax', 'load: () => [],,', 'syntax.ts:3:16', 'mend the file there'],
  ['an enum', 'load: () => { enum A { B } return []; }', 'enum.ts:3:15', 'without enum'],
  ['a throw on import', 'load: JSON.parse("no")', 'top.ts:3:12', 'mend the file there'],
  ['a throw in load', 'load: () => { throw new Error("no rows"); }', 'load.ts:3:21', 'mend load()'],
  [
    'a throw between rows',
    'load: function* () { yield { prompt: "x" }; JSON.parse("no"); }',
    'rows.ts:3:50',
    'mend load()',
  ],
])('a taskset file with %s is told with its line', async (_what, line, place, fix) => {
  const [name = ''] = place.split(':');
  const stderr = await told(name, `${importing}export default defineTaskset({\n${line}\n});\n`);
  expect(stderr).toContain(`, at ${join(cwd, place)}: `);
  expect(stderr).toContain('\n  fix: ');
  expect(stderr).toContain(fix);
});

test('a fault of a file that it imports is told with that file', async () => {
  writeFileSync(join(cwd, 'part.ts'), 'export const rows = [;\n');
  const stderr = await told(
    'whole.ts',
    `${importing}import { rows } from './part.ts';\nexport default defineTaskset({ load: () => rows });\n`,
  );
  expect(stderr).toContain(
    `${join(cwd, 'whole.ts')} could not be imported, at ${join(cwd, 'part.ts')}:1:22`,
  );
});

test('where Node does not say the line, the fix does', async () => {
  const stderr = await told('plain.mjs', 'export default {;\n');
  expect(stderr).toContain(`fix: node --check ${join(cwd, 'plain.mjs')} shows the line`);
});
