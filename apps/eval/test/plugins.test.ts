import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PluginEntry } from '@vf/plugin-host';
import { checkExports, checkManifest } from '../src/doctor/check-manifest.ts';
import { checkFiles } from '../src/doctor/check-files.ts';
import { pack } from '../src/doctor/pack.ts';
import { emptyFolder, vf } from './cli.ts';

describe('plugins show', () => {
  test('tells package, dialects, abilities and options', async () => {
    const { code, stdout } = await vf(['plugins', 'show', 'bash'], { cwd: emptyFolder() });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^harness bash: A small agent loop with a shell tool\n/);
    expect(stdout).toMatch(/\n {2}package +@vf\/harness-bash \d/);
    expect(stdout).toMatch(/\n {2}speaks +chat-completions, responses, messages\n/);
    expect(stdout).toMatch(/\n {2}can +hostTools, systemPrompt append/);
    expect(stdout).toMatch(/--harness\.max-turns integer +model calls of one user turn/);
  });

  test('as one document, keys as in a config', async () => {
    const args = ['plugins', 'show', '@vf/harness-bash#bash', '--json'];
    const { stdout } = await vf(args, { cwd: emptyFolder() });
    expect(JSON.parse(stdout)).toMatchObject({
      v: 1,
      plugins: [
        {
          kind: 'harness',
          id: 'bash',
          core_range: '^1.0.0',
          options: expect.arrayContaining([
            expect.objectContaining({ key: 'max_turns', type: 'integer', default: 100 }),
          ]) as unknown,
        },
      ],
    });
  });

  test('a file, once its kind is told', async () => {
    const cwd = emptyFolder();
    const code = "import { defineTaskset, z } from '@vf/core';";
    const config = "z.object({ size: z.enum(['s', 'l']).describe('how large') })";
    writeFileSync(
      join(cwd, 'a.ts'),
      `${code}\nexport default defineTaskset({ config: ${config}, load: () => [], rewards: { r: () => 1 } });`,
    );
    const unsaid = await vf(['plugins', 'show', './a.ts'], { cwd });
    expect(unsaid.stderr).toContain('fix: vf plugins show ./a.ts --kind taskset');
    const { stdout } = await vf(['plugins', 'show', './a.ts', '--kind', 'taskset'], { cwd });
    expect(stdout).toMatch(/--taskset\.size s\|l +how large \(required\)/);
    expect(stdout).toMatch(/rewards +r\n/);
  });

  test.each([
    [['plugins', 'show', 'bsh'], 'no plugin "bsh"; nearest: bash'],
    [['plugins', 'show'], 'vf plugins show takes one id'],
    [['plugins', 'show', 'bash', '--kind', 'agent'], 'no kind "agent" of plugin'],
    [['plugins', 'shwo'], 'vf plugins knows list, show, doctor, not shwo'],
    [['plugins', 'doctor', '/nowhere'], 'there is no package in /nowhere'],
  ])('%j is refused', async (args, words) => {
    const { code, stderr } = await vf(args, { cwd: emptyFolder() });
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).toContain('fix: ');
  });
});

const entry: PluginEntry = {
  kind: 'taskset',
  id: 'sql',
  package: '@acme/vf-sql',
  version: '1.0.0',
  from: 'project',
  dir: '/x',
  summary: '',
  requires: { bins: [], env: [] },
  coreRange: '^1.0.0',
  state: 'ok',
};
const manifest = { name: '@acme/vf-sql', peerDependencies: { '@vf/core': '^1.0.0' } };

test('plugins doctor, a build that fails is shown with what the compiler and npm said', async () => {
  const dir = emptyFolder();
  const scripts = {
    build: `echo 'src/index.ts(1,7): error TS2322: no string'; echo told >&2; exit 2`,
    prepack: 'npm run build',
  };
  const broken = { name: 'broken', version: '1.0.0', scripts };
  writeFileSync(join(dir, 'package.json'), JSON.stringify(broken));
  const { tarball, finding } = await pack(dir, emptyFolder(), new AbortController().signal);
  expect(tarball).toBeNull();
  expect(finding.message).toContain('error TS2322: no string');
  expect(finding.message).toContain('told');
});

describe('plugins doctor, what a manifest lacks', () => {
  test('one that is well', () => {
    expect(checkManifest(manifest, [entry])).toMatchObject([
      { state: 'ok', message: 'brings taskset sql' },
    ]);
  });

  test.each([
    [{ ...manifest, peerDependencies: {} }, /no range on @vf\/core/],
    [{ ...manifest, dependencies: { '@vf/core': '^1.0.0' } }, /a project would get a second one/],
    [{ ...manifest, dependencies: { a: 'workspace:^' } }, /dependencies\.a is workspace:\^/],
    [{ ...manifest, name: 'sql-tasks' }, /told to install vf-taskset-sql/],
  ])('%j', (given, words) => {
    const [finding] = checkManifest(given, [entry]);
    expect(finding).toMatchObject({ state: 'problem', fix: expect.any(String) as string });
    expect(finding?.message).toMatch(words);
  });

  test('what the list says of it', () => {
    const state = 'needs @vf/core ^2.0.0 (here 1.0.0)';
    expect(checkManifest(manifest, [{ ...entry, state }])[0]?.message).toBe(
      `taskset sql: ${state}`,
    );
  });
});

describe('plugins doctor, what the files lack', () => {
  test('files that exports names, and types', () => {
    const dir = installed({ 'dist/index.js': '' });
    const there = { exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } };
    expect(checkExports(there, dir).map(({ message }) => message)).toEqual([
      'exports names ./dist/index.d.ts, which is not in the package',
    ]);
    expect(checkExports({ exports: './dist/index.js' }, dir)[0]?.message).toMatch(/names no types/);
    expect(checkExports({}, dir)[0]?.message).toMatch(/has no "exports"/);
  });

  test('JavaScript, and packages that somebody installs', async () => {
    const dir = installed({
      'dist/index.js':
        "import 'node:fs'; import 'path'; import './a.js'; import '#own'; import '@vf/core/errors';\nimport('left-pad/deep'); export * from '@acme/kit/x';",
      'dist/a.ts': 'export const a: number = 1;',
      'dist/a.d.ts': 'export declare const a: number;',
    });
    const findings = await checkFiles({ ...manifest, dependencies: {} }, dir);
    expect(findings.map(({ message }) => message)).toEqual([
      'dist/a.ts is TypeScript, and Node strips no types under node_modules',
      'dist/index.js imports left-pad, which package.json does not name: pnpm and yarn will not find it',
      'dist/index.js imports @acme/kit, which package.json does not name: pnpm and yarn will not find it',
    ]);
  });
});

/** A package on disk. */
function installed(files: Readonly<Record<string, string>>): string {
  const dir = emptyFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}
