import { execFileSync } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const quiet: StdioOptions = ['ignore', 'ignore', 'inherit'];

/**
 * Packs the command and all packages of the workspace that it needs as for publishing, and installs them into `dir`
 * as a user would. The packages must have been built.
 * @returns the path of the command
 */
export function installPacked(root: string, dir: string): string {
  const packs = join(dir, 'packs');
  mkdirSync(packs, { recursive: true });
  for (const folder of neededBy('@vf/eval', root))
    execFileSync('pnpm', ['pack', '--pack-destination', packs], { cwd: folder, stdio: quiet });
  const files = globSync('*.tgz', { cwd: packs }).map((name) => `./packs/${name}`);
  writeFileSync(join(dir, 'package.json'), '{"private":true,"type":"module"}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...files], { cwd: dir, stdio: quiet });
  return join(dir, 'node_modules/@vf/eval/bin/vf.js');
}

/** Folders of a package of the workspace and of all that it depends on there. */
function neededBy(name: string, root: string): string[] {
  const patterns = ['packages/*/package.json', 'plugins/*/*/package.json', 'apps/*/package.json'];
  const manifests = new Map(
    globSync(patterns, { cwd: root }).map((path) => {
      const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
      return [manifest.name, { folder: join(root, dirname(path)), manifest }];
    }),
  );
  const needed = new Set<string>();
  const add = (wanted: string): void => {
    const found = manifests.get(wanted);
    if (found === undefined || needed.has(wanted)) return;
    needed.add(wanted);
    Object.keys(found.manifest.dependencies ?? {}).forEach(add);
  };
  add(name);
  return [...needed].flatMap((wanted) => manifests.get(wanted)?.folder ?? []);
}
