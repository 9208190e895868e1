import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const files = ['task.toml', 'instruction.md', 'README.md', 'trajectory.json'];
const folders = ['environment', 'tests', 'solution', 'steps'];
const ignored = /(?:^|\/)__pycache__\/|\.(?:pyc|swp|swo)$|~$|(?:^|\/)\.DS_Store$/;

/**
 * SHA-256 of a task's files, hex: another one when anything of the task is. Harbor's rule (harbor 0.25), but for
 * `.gitignore`, which is not looked at.
 */
export async function digestOf(dir: string): Promise<string> {
  const lists = await Promise.all(folders.map((folder) => filesBelow(dir, folder)));
  const paths = [...files, ...lists.flat()].filter((path) => !ignored.test(path)).toSorted();
  const lines = await Promise.all(
    paths.map(async (path) => {
      const content = await readFile(join(dir, path)).catch(() => null);
      return content === null ? '' : `${path}\0${sha256(content)}\n`;
    }),
  );
  return sha256(lines.join(''));
}

async function filesBelow(dir: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(dir, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
