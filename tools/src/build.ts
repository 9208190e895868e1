/**
 * Builds the package in the working directory into `dist`: JavaScript by tsup, declarations by tsc.
 * The entries are those of the package's exports. Libraries among `devDependencies` that the source imports become
 * part of the JavaScript, with their licences beside it.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

import { build } from 'tsup';

import { alwaysBundled, ownSourceMapsOnly, thirdPartyNotices } from './bundled.ts';
import { type Manifest, root, sourceEntries } from './workspace.ts';

const folder = process.cwd();
const run = promisify(execFile);

async function javascript(entries: Readonly<Record<string, string>>): Promise<void> {
  await build({
    entry: entries,
    outDir: 'dist',
    format: 'esm',
    target: 'node22',
    platform: 'node',
    splitting: true,
    sourcemap: true,
    dts: false,
    silent: true,
    config: false,
    noExternal: alwaysBundled,
    esbuildPlugins: [
      ownSourceMapsOnly,
      thirdPartyNotices(folder, join(folder, 'dist/third-party-licenses.txt')),
    ],
  });
}

/** Resolves the other packages by their built declarations, so those must be built before. */
async function declarations(sources: readonly string[]): Promise<void> {
  const cache = join(folder, 'node_modules/.cache/build');
  const config = {
    extends: relative(cache, join(folder, 'tsconfig.json')),
    files: sources.map((source) => relative(cache, join(folder, source))),
    include: [],
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      customConditions: [],
      rewriteRelativeImportExtensions: true,
      stripInternal: true,
      rootDir: relative(cache, join(folder, 'src')),
      outDir: relative(cache, join(folder, 'dist')),
    },
  };
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, 'tsconfig.json'), JSON.stringify(config));
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
  const tsc = join(dirname(compiler), 'bin/tsc');
  await run(process.execPath, [tsc, '-p', join(cache, 'tsconfig.json')]).catch(
    (error: { stdout?: string; stderr?: string }) => {
      process.stderr.write(`${error.stdout ?? ''}${error.stderr ?? ''}`);
      process.exitCode = 1;
    },
  );
}

const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
const sources = Object.values(sourceEntries(manifest));
const entries = Object.fromEntries(
  sources.map((source) => [source.replace(/^\.\/src\/(.*)\.ts$/, '$1'), source]),
);
await rm(join(folder, 'dist'), { recursive: true, force: true });
await Promise.all([javascript(entries), declarations(sources)]);
if (process.exitCode === 1) process.stderr.write(`build of ${relative(root, folder)} failed\n`);
