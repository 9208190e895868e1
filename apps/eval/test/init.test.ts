import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { pluginName } from '../src/init/plugin-name.ts';
import { emptyFolder, vf } from './cli.ts';

test.each(['taskset', 'harness', 'environment'])('init %s writes a package', async (kind) => {
  const cwd = emptyFolder();
  const { code, stdout } = await vf(['init', kind, '@acme/mine'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('next: npm install, npm test');
  const dir = join(cwd, `vf-${kind}-mine`);
  const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as object;
  expect(manifest).toMatchObject({
    name: `@acme/vf-${kind}-mine`,
    keywords: ['vf-plugin', `vf-${kind}`],
    vf: { manifest: 1, contributes: [{ kind, id: 'mine', entry: '.' }] },
    peerDependencies: { '@vf/core': expect.stringMatching(/^\^\d/) as string },
  });
  for (const range of JSON.stringify(manifest).match(/"(?:workspace|catalog):/g) ?? [])
    expect.fail(`nobody else can install ${range}`);
  expect(readFileSync(join(dir, 'README.md'), 'utf8')).not.toContain('{{');
  for (const file of ['src/index.ts', `test/${kind}.test.ts`, 'tsconfig.json', '.gitignore'])
    expect(existsSync(join(dir, file)), file).toBe(true);
});

test('nothing is overwritten, and nothing is written beside what is there', async () => {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'README.md'), 'mine');
  const { code, stderr } = await vf(['init', 'taskset', 'sums', '--dir', '.'], { cwd });
  expect(code).toBe(2);
  expect(stderr).toContain('. has files that would be overwritten');
  expect(stderr).toMatch(/\n {2}README\.md\n/);
  expect(readFileSync(join(cwd, 'README.md'), 'utf8')).toBe('mine');
  expect(existsSync(join(cwd, 'package.json'))).toBe(false);
});

test.each([
  ['sums', 'vf-taskset-sums', 'sums'],
  ['vf-taskset-sums', 'vf-taskset-sums', 'sums'],
  ['@acme/sums', '@acme/vf-taskset-sums', 'sums'],
  ['@acme/vf-taskset-sums.v2', '@acme/vf-taskset-sums.v2', 'sums.v2'],
])('the name %s is package %s', (name, whole, id) => {
  expect(pluginName('taskset', name)).toMatchObject({ package: whole, id });
});

test.each([
  ['Sums', 'vf init taskset sums'],
  ['../sums', 'vf init taskset sums'],
  ['@acme/', 'vf init taskset acme'],
  ['!', 'vf init taskset my-taskset'],
  ['@Acme/sums', 'vf init taskset acme-sums'],
  ['.hidden', 'vf init taskset hidden'],
  ['a'.repeat(300), 'vf init taskset aaa'],
])('the name %s is refused with one that is none', (name, suggestion) => {
  expect(() => pluginName('taskset', name)).toThrow('cannot be the name of a package');
  expect(() => pluginName('taskset', name)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining(suggestion) as string }) as Error,
  );
});

test('init config writes a config that runs, and the schema that its first line names', async () => {
  const cwd = emptyFolder();
  const { code } = await vf(['init', 'config', 'nightly'], { cwd });
  expect(code).toBe(0);
  const text = readFileSync(join(cwd, 'nightly.toml'), 'utf8');
  const [, schemaFile = ''] = /^#:schema \.\/(\S+)\n/.exec(text) ?? [];
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const schema = JSON.parse(readFileSync(join(cwd, schemaFile), 'utf8')) as object;
  const validate = ajv.compile(schema);
  expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
  // What is commented out is right too, once it is not: tables one by one, since `#` may stand before a whole one.
  const uncommented = text.replaceAll(/^# (?=\[|[\w.]+ = )/gm, '');
  expect(validate(parse(uncommented)), JSON.stringify(validate.errors)).toBe(true);
  const plan = ['eval', '@', 'nightly.toml', '--dry-run', '--provider', 'local'];
  expect((await vf(plan, { cwd })).code).toBe(0);
  const again = await vf(['init', 'config', 'weekly'], { cwd });
  expect(again.code).toBe(0);
  expect((await vf(['init', 'config', 'nightly'], { cwd })).stderr).toContain('nightly.toml');
});

test('the schema marks a misspelt option of an installed plugin', async () => {
  const cwd = emptyFolder();
  const { code } = await vf(['schema', '-o', 'out.json'], { cwd });
  expect(code).toBe(0);
  const ajv = new Ajv({ strict: false });
  formats.default(ajv);
  const schema = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8')) as object;
  const validate = ajv.compile(schema);
  expect(validate({ harness: { id: 'bash', max_turns: 3 } })).toBe(true);
  expect(validate({ harness: { id: 'bash', max_trns: 3 } })).toBe(false);
  expect(validate({ taskset: { id: 'gsm8k', instruction: 7 } })).toBe(false);
  const nowhere = await vf(['schema', '-o', 'no/such/out.json'], { cwd });
  expect(nowhere.code).toBe(2);
  expect(nowhere.stderr).toContain('fix: name a file in a folder that is there');
});
