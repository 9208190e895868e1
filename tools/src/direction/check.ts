/** Fails when a package uses what lies in the wrong direction, files import each other, or a file is too long. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root, workspacePackages } from '../workspace.ts';
import { cycleViolations } from './cycles.ts';
import { sizeViolations } from './file-sizes.ts';
import { importsOf } from './imports.ts';
import { lightEntries } from './layers.ts';
import { lightEntryViolations } from './light-entries.ts';
import { manifestViolations } from './manifest-edges.ts';
import { type SourceFile, sourceViolations } from './source-edges.ts';

const skipped = new Set(['node_modules', 'dist', 'fixtures', 'outputs', '.cache', '.turbo']);

const packages = workspacePackages();
const folders = new Map(packages.map(({ manifest, folder }) => [manifest.name, folder]));
const byName = new Map(packages.map((each) => [each.manifest.name, each]));

/** Sources of a package, without those of packages inside its folder. */
function sourcesOf(folder: string): SourceFile[] {
  const cwd = join(root, folder);
  const inner = [...folders.values()].filter((other) => other.startsWith(`${folder}/`));
  return globSync('**/*.{ts,tsx,js}', { cwd, exclude: (path) => skipped.has(path) })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.split('/').some((part) => skipped.has(part)))
    .filter((path) => !inner.some((other) => `${folder}/${path}`.startsWith(`${other}/`)))
    .map((path) => {
      const text = readFileSync(join(cwd, path), 'utf8');
      return { path, text, imports: importsOf(path, text) };
    });
}

const violations = packages.flatMap((each) => {
  const files = sourcesOf(each.folder);
  const light = each.folder === 'packages/core' ? lightEntries : [];
  return [
    ...manifestViolations(each, folders),
    ...sourceViolations(each, files, byName),
    ...sizeViolations(each.folder, files),
    ...cycleViolations(each.folder, files),
    ...light
      .flatMap((entry) => lightEntryViolations(entry, files))
      .map((line) => `${each.folder}/${line}`),
  ];
});

for (const violation of violations) console.error(violation);
console.log(`${packages.length} packages, ${violations.length} violations`);
if (violations.length > 0) process.exitCode = 1;
