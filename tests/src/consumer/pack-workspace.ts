import { globSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { exec } from './exec.ts';

const root = resolve(import.meta.dirname, '../../..');

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Builds and packs packages of the workspace and all that they need of it, as they would be published.
 * @returns the tarballs in `to`
 */
export async function packWorkspace(names: readonly string[], to: string): Promise<string[]> {
  const filters = names.map((name) => `--filter=${name}...`);
  await exec('pnpm', ['turbo', 'run', 'build', '--output-logs=errors-only', ...filters], {
    cwd: root,
    env: { TURBO_TELEMETRY_DISABLED: '1' },
  });
  const waiting = foldersOf(names);
  const worker = async (): Promise<void> => {
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
      await exec('pnpm', ['pack', '--pack-destination', to], { cwd: folder });
  };
  await Promise.all([worker(), worker()]);
  return (await readdir(to)).filter((file) => file.endsWith('.tgz')).map((file) => join(to, file));
}

function foldersOf(names: readonly string[]): string[] {
  const patterns = ['packages/*/package.json', 'plugins/*/*/package.json', 'apps/*/package.json'];
  const manifests = new Map(
    globSync(patterns, { cwd: root }).map((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
      return [manifest.name, { folder: join(root, dirname(path)), manifest }];
    }),
  );
  const folders = new Map<string, string>();
  const add = (name: string): void => {
    const found = manifests.get(name);
    if (found === undefined || folders.has(name)) return;
    folders.set(name, found.folder);
    Object.keys(found.manifest.dependencies ?? {}).forEach(add);
  };
  names.forEach(add);
  return [...folders.values()];
}
