import { readFileSync, globSync } from 'node:fs';
import { dirname } from 'node:path';
import { defineConfig } from 'vitest/config';

const manifests = globSync(
  [
    'packages/*/package.json',
    'plugins/*/*/package.json',
    'apps/*/package.json',
    'examples/*/package.json',
    '{tests,bench,tools}/package.json',
    'tools/*/package.json',
  ],
  { cwd: import.meta.dirname },
);

/** Folders of packages that lie inside the folder of this one: `tools` has some. */
function innerPackages(manifest: string): string[] {
  const folder = `${dirname(manifest)}/`;
  return manifests
    .filter((other) => other !== manifest && other.startsWith(folder))
    .map((other) => `${dirname(other).slice(folder.length)}/**`);
}

/** One vitest project per workspace package, named like the package. */
const projects = manifests.toSorted().map((manifest) => ({
  extends: true as const,
  test: {
    name: JSON.parse(readFileSync(new URL(manifest, import.meta.url), 'utf8')).name as string,
    root: dirname(manifest),
    include: ['**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      '**/fixtures/**',
      // Has no tasks before `vf init --from harbor` has put them there.
      '**/templates/harbor/**',
      ...innerPackages(manifest),
    ],
  },
}));

const conditions = ['@vf/source', 'module', 'node', 'development|production'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ['@vf/source'] } },
  test: {
    projects,
    reporters: ['default', './tools/src/counts-reporter.ts'],
    environment: 'node',
    // Two busy cores stretch everything; a hang is still found.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    execArgv: ['--conditions=@vf/source'],
    restoreMocks: true,
    unstubEnvs: true,
  },
});
