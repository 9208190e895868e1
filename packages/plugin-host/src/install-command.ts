import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { upwards } from './find-package.ts';
import { readPackageJson } from './package-json.ts';

const commands: readonly (readonly [manager: string, lockFile: string, command: string])[] = [
  ['pnpm', 'pnpm-lock.yaml', 'pnpm add -D'],
  ['yarn', 'yarn.lock', 'yarn add -D'],
  ['bun', 'bun.lock', 'bun add -d'],
  ['npm', 'package-lock.json', 'npm i -D'],
];

/** What to type in this project to install `packages`: by its `packageManager` field, else by its lock file, else npm. */
export function installCommand(packages: string, projectDir: string | null): string {
  for (const dir of projectDir === null ? [] : upwards(projectDir)) {
    const named = safeManager(dir);
    const found = commands.find(
      ([manager, lockFile]) => manager === named || existsSync(join(dir, lockFile)),
    );
    if (found !== undefined) return `${found[2]} ${packages}`;
  }
  return `npm i -D ${packages}`;
}

function safeManager(dir: string): string | null {
  try {
    return readPackageJson(dir)?.packageManager?.split('@')[0] ?? null;
  } catch {
    return null;
  }
}
