import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import ignore from 'ignore';
import { ignoreRules } from './ignore-rules.ts';
import { isFile } from './look.ts';

const files = ['task.toml', 'instruction.md', 'README.md', 'trajectory.json'];
const folders = ['environment', 'tests', 'solution', 'steps'];
/** What is left out where a task has no `.gitignore`. */
const usual = ['__pycache__/', '*.pyc', '.DS_Store', '*.swp', '*.swo', '*~'];

/**
 * SHA-256 of a task's files, hex: another one when anything of the task is. Harbor's rule (harbor 0.25), so that it is
 * the digest by which its hub names the task.
 */
export async function digestOf(dir: string): Promise<string> {
  const [{ leavesOut }, own] = await Promise.all([
    ignoreRules(dir),
    readFile(join(dir, '.gitignore'), 'utf8').catch(() => null),
  ]);
  const ignored = ignore().add(own ?? usual);
  const lists = await Promise.all(folders.map((folder) => filesBelow(dir, folder)));
  const single = await Promise.all(files.map((file) => isFile(join(dir, file))));
  const paths = [...files.filter((_file, i) => single[i]), ...lists.flat()]
    .filter((path) => !leavesOut(path) && !ignored.ignores(path))
    .toSorted(byCodePoints);
  const lines = await Promise.all(
    paths.map(async (path) => `${path}\0${sha256(await readFile(join(dir, path)))}\n`),
  );
  return sha256(lines.join(''));
}

/** As Python sorts text. */
function byCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function filesBelow(dir: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(dir, folder), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const paths = entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  const areFiles = await Promise.all(paths.map(isFile));
  return paths.filter((_path, i) => areFiles[i]).map((path) => path.slice(dir.length + 1));
}

function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
