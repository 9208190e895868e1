import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package.json, as far as the checks of this workspace look at it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly license?: string;
  readonly type?: string;
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly sideEffects?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly publishConfig?: Readonly<Record<string, unknown>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly vf?: unknown;
}

/** A package of the workspace; `folder` is relative to the root, with forward slashes. */
export interface WorkspacePackage {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** The root of the workspace, absolute. */
export const root = join(import.meta.dirname, '../..');

/** Where packages lie; pnpm-workspace.yaml has the same list. */
export const packageGlobs = [
  'packages/*',
  'plugins/*/*',
  'apps/*',
  'examples/*',
  'tests',
  'bench',
  'tools',
  'tools/*',
];

/** All packages of the workspace, sorted by folder. */
export function workspacePackages(): WorkspacePackage[] {
  return globSync(
    packageGlobs.map((glob) => `${glob}/package.json`),
    { cwd: root },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()
    .map((path) => ({
      folder: dirname(path),
      manifest: JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
    }));
}

/** Source entries by export subpath, from the `@vf/source` condition: `.` -> `./src/index.ts`. */
export function sourceEntries(manifest: Manifest): Record<string, string> {
  const entries: Record<string, string> = {};
  for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
    const source = typeof target === 'string' ? undefined : target['@vf/source'];
    if (source !== undefined) entries[subpath] = source;
  }
  return entries;
}
