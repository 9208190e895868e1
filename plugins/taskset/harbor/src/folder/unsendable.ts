import { isUtf8 } from 'node:buffer';
import { readdir, readlink } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Problem } from '@vf/core/errors';
import type { HarborTask } from './harbor-task.ts';

type Sender = Pick<HarborTask, 'dir' | 'environmentFiles' | 'steps' | 'leavesOut' | 'hasIgnored'>;

/** What is in folders of a task that go to its boxes and cannot: told before anything is played. */
export async function unsendableFiles(task: Sender): Promise<Problem[]> {
  const whole = [task.environmentFiles, ...task.steps.map(({ workdirFiles }) => workdirFiles)];
  const parts = task.steps.flatMap(({ solution, verifier }) => [solution, ...verifier.tests]);
  const found = await Promise.all([
    ...folders(whole).map((folder) => faultsIn(folder, { ...task, leavesOut: () => false })),
    ...folders(parts).map((folder) => faultsIn(folder, task)),
  ]);
  return found.flat();
}

function folders(named: readonly (string | null)[]): string[] {
  return [...new Set(named)].filter((folder) => folder !== null);
}

async function faultsIn(root: string, task: Sender, folder = root): Promise<Problem[]> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const file = join(folder, entry.name.toString());
      if (task.leavesOut(relative(task.dir, file).split(sep).join('/'))) return [];
      if (!isUtf8(entry.name)) return [{ file, message: 'its name is no UTF-8', fix: 'rename it' }];
      if (entry.isDirectory()) return faultsIn(root, task, file);
      if (entry.isFile()) return [];
      if (!entry.isSymbolicLink()) return [{ file, message: 'is neither file, folder nor link' }];
      const target = await readlink(file);
      if (staysWithin(root, resolve(folder, target)) && !(task.hasIgnored && isAbsolute(target)))
        return [];
      const message = `is a link out of ${root}, to ${target}, which a box does not have`;
      return [{ file, message, fix: 'put a copy in its place' }];
    }),
  );
  return found.flat();
}

function staysWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root + sep);
}
