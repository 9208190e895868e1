import { readFile, readdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import ignore from 'ignore';
import type { Ignore } from 'ignore';

const fileName = '.harborignore';

/** Folders in which such files count. */
const scopes = /^(?:steps\/[^/]+\/)?(?:tests|solution)(?:\/|$)/;

/** Which files of a task never leave its folder, by paths from there with `/`. */
export type LeavesOut = (path: string) => boolean;

/** The `.harborignore` files in tests/ and solution/ (harbor 0.25): a deeper one goes before one above it. */
export async function ignoreRules(
  taskDir: string,
): Promise<{ readonly leavesOut: LeavesOut; readonly hasIgnored: boolean }> {
  const rules = await rulesBelow(taskDir);
  return { leavesOut: byRules(rules), hasIgnored: rules.length > 0 };
}

function byRules(rules: readonly Rules[]): LeavesOut {
  return (path) => {
    if (posix.basename(path) === fileName) return true;
    if (rules.length === 0 || !scopes.test(path)) return false;
    let isOut = false;
    for (const { folder, rule } of rules) {
      if (!path.startsWith(`${folder}/`)) continue;
      const { ignored, unignored } = rule.test(path.slice(folder.length + 1));
      if (ignored || unignored) isOut = ignored;
    }
    return isOut;
  };
}

interface Rules {
  readonly folder: string;
  readonly rule: Ignore;
}

/** Sorted, so that a folder comes before those in it. */
async function rulesBelow(taskDir: string): Promise<Rules[]> {
  const steps = await readdir(join(taskDir, 'steps')).catch(() => []);
  const parents = ['', ...steps.map((step) => `steps/${step}`)];
  const files = await Promise.all(
    parents
      .flatMap((parent) => [posix.join(parent, 'tests'), posix.join(parent, 'solution')])
      .map(async (folder) => {
        const inside = await readdir(join(taskDir, folder), { recursive: true }).catch(() => []);
        return inside
          .filter((file) => posix.basename(file) === fileName)
          .map((file) => posix.join(folder, file));
      }),
  );
  return Promise.all(
    files
      .flat()
      .toSorted()
      .map(async (file) => ({
        folder: posix.dirname(file),
        rule: ignore().add(await readFile(join(taskDir, file), 'utf8')),
      })),
  );
}
