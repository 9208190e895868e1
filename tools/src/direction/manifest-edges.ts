import type { WorkspacePackage } from '../workspace.ts';
import { allowanceOf, librariesOf } from './layers.ts';

const runTime = ['dependencies', 'peerDependencies', 'optionalDependencies'] as const;

/** Violations in what a package.json depends on. */
export function manifestViolations(
  { folder, manifest }: WorkspacePackage,
  folders: ReadonlyMap<string, string>,
): string[] {
  const allowance = allowanceOf(folder);
  const libraries = librariesOf(folder);
  const violations: string[] = [];
  for (const field of runTime) {
    for (const name of Object.keys(manifest[field] ?? {})) {
      const target = folders.get(name);
      const allowed =
        target === undefined ? (libraries?.includes(name) ?? true) : allowance.run(target);
      if (!allowed) violations.push(`${folder}/package.json: ${field} must not name ${name}`);
    }
  }
  for (const name of Object.keys(manifest.devDependencies ?? {})) {
    const target = folders.get(name);
    if (target !== undefined && !allowance.dev(target)) {
      violations.push(`${folder}/package.json: devDependencies must not name ${name}`);
    }
  }
  return violations;
}
