import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

/** A plugin's entry points: each default export is what `define*` returned. */
const sources = {
  taskset: `import { defineTaskset, z } from '@vf/core';
export default defineTaskset({
  config: z.object({ n: z.number().default(3) }),
  data: z.object({ answer: z.number() }),
  load: ({ config }) => [{ answer: config.n }],
  tools: { add: { description: 'Adds', input: z.object({ a: z.number() }), run: ({ a }) => a } },
});`,
  harness: `import { defineHarness, z } from '@vf/core';
export default defineHarness({
  config: z.object({ version: z.string() }),
  speaks: ['responses'],
  capabilities: {},
  open: async () => ({ turn: async () => ({ status: 'completed' }), close: async () => {} }),
});`,
  environment: `import { defineEnvironment, z } from '@vf/core';
export default defineEnvironment({
  config: z.object({ n: z.number() }),
  roles: { solver: {} },
  play: async ({ agents, task }) => void (await agents.solver.run(task)),
});`,
};

let folder: string;

/** A package as pnpm lays it out: it sees @vf/core, and no zod of its own. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vf-published-'));
  await mkdir(join(folder, 'node_modules/@vf'), { recursive: true });
  const core = join(import.meta.dirname, '../../packages/core');
  await symlink(core, join(folder, 'node_modules/@vf/core'));
  await writeFile(join(folder, 'package.json'), '{ "name": "plugin", "type": "module" }');
  for (const [name, source] of Object.entries(sources)) {
    await writeFile(join(folder, `${name}.ts`), source);
  }
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable', 'dom'],
    module: 'nodenext',
    customConditions: ['@vf/source'],
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    declaration: true,
    emitDeclarationOnly: true,
    types: [],
    rootDir: '.',
    outDir: 'dist',
  };
  const files = Object.keys(sources).map((name) => `${name}.ts`);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const tsc = join(dirname(manifest), 'bin/tsc');
  await promisify(execFile)(process.execPath, [tsc, '-p', folder]);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

it.each([
  ['taskset', 'Taskset<{ answer: number; }, { answer: number; }, { n: number; }>'],
  ['harness', 'Harness<{ version: string; }>'],
  ['environment', 'Environment<{ n: number; }>'],
])('a published %s has a short type that needs no zod', async (name, type) => {
  const declaration = await readFile(join(folder, `dist/${name}.d.ts`), 'utf8');
  const spaced = declaration.replaceAll(/\s+/g, ' ');
  expect(spaced).toContain(`declare const _default: import("@vf/core").${type};`);
  expect(spaced).not.toContain('zod');
});
