import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { vfDir } from '../plugin-host.ts';

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * The ranges that a new package asks for: those that this vf was built and tested with, as its own package.json has
 * them. In vf's repository, where that says `workspace:` and `catalog:`, of what is installed.
 */
export function ranges(names: readonly string[]): Record<string, string> {
  const own = manifestIn(vfDir);
  const written: Readonly<Record<string, string>> = { ...own.devDependencies, ...own.dependencies };
  return Object.fromEntries(
    names.toSorted().map((name) => {
      if (name === '@vf/eval') return [name, `^${own.version}`];
      const range = written[name] ?? '*';
      if (/^(?:workspace|catalog):/.test(range)) return [name, `^${installedVersion(name)}`];
      return [name, /^\d/.test(range) ? `^${range}` : range];
    }),
  );
}

function installedVersion(name: string): string {
  for (let dir = vfDir; ; dir = dirname(dir)) {
    const found = join(dir, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return manifestIn(found).version;
    if (dirname(dir) === dir) throw new Error(`${name} is not installed`);
  }
}

function manifestIn(dir: string): Manifest {
  return JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest;
}
