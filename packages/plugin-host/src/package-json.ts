import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '@vf/core';

const names = z.record(z.string(), z.string()).optional().catch(undefined);

/** What the host reads of a package.json; odd fields are as if they were not there. */
const packageJson = z.looseObject({
  name: z.string().optional().catch(undefined),
  version: z.string().optional().catch(undefined),
  exports: z.unknown().optional(),
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  packageManager: z.string().optional().catch(undefined),
  workspaces: z.unknown().optional(),
  vf: z.unknown().optional(),
});
export type PackageJson = z.infer<typeof packageJson>;

/** null when there is none; @throws SyntaxError when it is not JSON, ZodError when it is no object */
export function readPackageJson(dir: string): PackageJson | null {
  let text: string;
  try {
    text = readFileSync(join(dir, 'package.json'), 'utf8');
  } catch {
    return null;
  }
  return packageJson.parse(JSON.parse(text));
}

/** Names of all direct dependencies. */
export function directDependencies(pkg: PackageJson): string[] {
  const { dependencies, devDependencies, optionalDependencies } = pkg;
  return [
    ...new Set(
      [dependencies, devDependencies, optionalDependencies].flatMap((group) =>
        Object.keys(group ?? {}),
      ),
    ),
  ];
}
