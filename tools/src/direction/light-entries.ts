import { posix } from 'node:path';

import type { SourceFile } from './source-edges.ts';

/**
 * Violations of an entry that must load no package and no `node:` module: each module that it
 * loads, directly or not, with the file that does it.
 */
export function lightEntryViolations(entry: string, files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set([entry]);
  const violations: string[] = [];
  for (const path of seen) {
    for (const { specifier, typeOnly, line } of byPath.get(path)?.imports ?? []) {
      if (typeOnly) continue;
      if (specifier.startsWith('.')) seen.add(posix.join(posix.dirname(path), specifier));
      else
        violations.push(`${path}:${line}: loads ${specifier}, and ${entry} must load no package`);
    }
  }
  return violations;
}
