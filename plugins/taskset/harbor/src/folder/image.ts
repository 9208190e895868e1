import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Machine } from '../format/schema.ts';
import type { ImageSource } from './harbor-task.ts';
import { isFile } from './look.ts';

/** The image of a machine: a ready one where the table names it, else what the folder's Dockerfile makes; null for neither. */
export async function imageOf(
  { docker_image: image }: Pick<Machine, 'docker_image'>,
  folder: string,
): Promise<ImageSource | null> {
  if (image !== undefined) return { image };
  return (await isFile(join(folder, 'Dockerfile'))) ? { build: { context: folder } } : null;
}

/** Who the last stage of a Dockerfile leaves in charge; `root` where it does not say. */
export async function userOfDockerfile(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const lastStage = lines.slice(lines.findLastIndex((line) => /^\s*FROM\s/i.test(line)) + 1);
  const named = lastStage.flatMap((line) => /^\s*USER\s+(\S+)/i.exec(line)?.[1] ?? []);
  return named.at(-1)?.split(':')[0] ?? 'root';
}
