import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join, relative } from 'node:path';
import { init, parse } from 'es-module-lexer';
import { ok, problem } from './finding.ts';
import type { Finding } from './finding.ts';

type Manifest = Readonly<Record<string, unknown>>;

/** TypeScript that Node would not run, and imports of packages that nobody installs. */
export async function checkFiles(manifest: Manifest, packageDir: string): Promise<Finding[]> {
  const files = await filesIn(packageDir);
  const sources = files.filter((file) => /(?<!\.d)\.[cm]?ts$/.test(file));
  const findings = [
    ...sources.map((file) =>
      problem(
        'files',
        `${file} is TypeScript, and Node strips no types under node_modules`,
        'ship JavaScript: "files": ["dist"], built before packing',
      ),
    ),
    ...(await undeclared(
      manifest,
      packageDir,
      files.filter((file) => /\.m?js$/.test(file)),
    )),
  ];
  return findings.length === 0
    ? [ok('files', `${files.length} files; every import is declared`)]
    : findings;
}

async function filesIn(packageDir: string): Promise<string[]> {
  const found = await readdir(packageDir, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(packageDir, join(entry.parentPath, entry.name)))
    .filter((file) => !file.startsWith('node_modules'));
}

async function undeclared(
  manifest: Manifest,
  packageDir: string,
  files: readonly string[],
): Promise<Finding[]> {
  await init();
  const declared = new Set([
    String(manifest['name']),
    ...['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((group) =>
      Object.keys(manifest[group] ?? {}),
    ),
  ]);
  const firstUse = new Map<string, string>();
  for (const file of files) {
    for (const name of packagesImportedBy(readFileSync(join(packageDir, file), 'utf8')))
      if (!declared.has(name) && !firstUse.has(name)) firstUse.set(name, file);
  }
  return [...firstUse].map(([name, file]) =>
    problem(
      'imports',
      `${file} imports ${name}, which package.json does not name: pnpm and yarn will not find it`,
      name === 'zod' ? "import { z } from '@vf/core', or add zod to dependencies" : `npm i ${name}`,
    ),
  );
}

function packagesImportedBy(code: string): string[] {
  const [imports] = parse(code);
  return imports.flatMap(({ specifier }) => {
    if (typeof specifier !== 'string' || /^(?:[./#]|node:|data:|file:)/.test(specifier)) return [];
    const [first = '', second] = specifier.split('/');
    if (builtinModules.includes(first)) return [];
    return first.startsWith('@') ? `${first}/${second}` : first;
  });
}
