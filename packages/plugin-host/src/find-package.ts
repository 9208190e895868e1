import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of an installed package as `from` would see it: npm's and pnpm's layouts alike. null when it is not there. */
export function findPackage(name: string, from: string): string | null {
  for (const dir of upwards(from)) {
    const candidate = join(dir, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
  }
  return null;
}

/** The nearest folder from `from` upwards that holds a package.json; null outside any project. */
export function nearestProject(from: string): string | null {
  for (const dir of upwards(from)) if (existsSync(join(dir, 'package.json'))) return dir;
  return null;
}

/** The folder itself and all above it. */
export function* upwards(from: string): Generator<string> {
  for (let dir = from; ; dir = dirname(dir)) {
    yield dir;
    if (dirname(dir) === dir) return;
  }
}

/** A folder whose packages share their dependencies: pnpm's, npm's, yarn's and bun's ways to say so. */
export function isWorkspaceRoot(dir: string): boolean {
  if (existsSync(join(dir, 'pnpm-workspace.yaml'))) return true;
  const file = join(dir, 'package.json');
  return existsSync(file) && readFileSync(file, 'utf8').includes('"workspaces"');
}
