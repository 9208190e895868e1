import { posix } from 'node:path';

import type { Manifest, WorkspacePackage } from '../workspace.ts';
import type { ModuleImport } from './imports.ts';
import { allowanceOf, librariesOf, withoutZod } from './layers.ts';

/** A source file; `path` is relative to the folder of its package. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly ModuleImport[];
}

/** Tests, benchmarks and configuration: they may use development dependencies. */
function isDevelopment(path: string): boolean {
  return !path.startsWith('src/') || /\.(test|test-d)\.ts$/.test(path);
}

/** `@vf/core/trace` -> `@vf/core` and `./trace`. */
function split(specifier: string): { name: string; subpath: string } {
  const parts = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  const rest = parts.slice(length).join('/');
  return { name: parts.slice(0, length).join('/'), subpath: rest === '' ? '.' : `./${rest}` };
}

function declares(manifest: Manifest, name: string, development: boolean): boolean {
  return (
    manifest.dependencies?.[name] !== undefined ||
    manifest.peerDependencies?.[name] !== undefined ||
    (development && manifest.devDependencies?.[name] !== undefined)
  );
}

function workspaceViolation(
  source: WorkspacePackage,
  target: WorkspacePackage,
  found: ModuleImport,
  development: boolean,
): string | undefined {
  const { name, subpath } = split(found.specifier);
  if (target.folder === source.folder) return undefined;
  const allowance = allowanceOf(source.folder);
  if (!(development ? allowance.dev : allowance.run)(target.folder)) {
    return `must not import ${name}`;
  }
  if (target.manifest.exports?.[subpath] === undefined) {
    return `imports ${found.specifier}, which ${name} does not export`;
  }
  if (!declares(source.manifest, name, development)) {
    return `imports ${name}, which its package.json does not name`;
  }
  const root = name === '@vf/core' && subpath === '.' && !found.typeOnly;
  if (root && !development && withoutZod.has(source.folder)) {
    return 'takes values from @vf/core, which loads zod: use @vf/core/errors, @vf/core/life or @vf/core/trace';
  }
  return undefined;
}

function violation(
  source: WorkspacePackage,
  file: SourceFile,
  found: ModuleImport,
  packages: ReadonlyMap<string, WorkspacePackage>,
): string | undefined {
  const { specifier } = found;
  if (specifier.startsWith('.')) {
    const outside = posix.join(posix.dirname(file.path), specifier).startsWith('..');
    return outside ? `imports ${specifier}, which lies outside its package` : undefined;
  }
  const development = isDevelopment(file.path);
  const libraries = librariesOf(source.folder);
  const restricted = libraries !== undefined && !development;
  if (specifier.startsWith('node:')) return restricted ? `must not import ${specifier}` : undefined;
  const { name } = split(specifier);
  const target = packages.get(name);
  if (target !== undefined) return workspaceViolation(source, target, found, development);
  return restricted && !libraries.includes(name) ? `must not import ${name}` : undefined;
}

/** Violations in what the source of a package imports. */
export function sourceViolations(
  source: WorkspacePackage,
  files: readonly SourceFile[],
  packages: ReadonlyMap<string, WorkspacePackage>,
): string[] {
  return files.flatMap((file) =>
    file.imports.flatMap((found) => {
      const problem = violation(source, file, found, packages);
      return problem === undefined
        ? []
        : [`${source.folder}/${file.path}:${found.line}: ${problem}`];
    }),
  );
}
