import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { VfError } from '@vf/core/errors';
import type { NewFiles } from './plugin-files.ts';

/** Writes new files into `dir`. @throws VfError usage/invalid when one of them is there already; then none is written */
export async function writeFiles(dir: string, files: NewFiles): Promise<void> {
  const there = [...files.keys()].filter((path) => existsSync(join(dir, path)));
  const where = relative(process.cwd(), dir) || '.';
  if (there.length > 0)
    throw new VfError('usage/invalid', `${where} has files that would be overwritten`, {
      problems: there.map((path) => ({ message: join(where, path) })),
      hint: 'another name, or --dir with an empty folder',
    });
  for (const [path, text] of files) {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    // The flag keeps what somebody else has written in between.
    await writeFile(file, text, { flag: 'wx' });
  }
}
