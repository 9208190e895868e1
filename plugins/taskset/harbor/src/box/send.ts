import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import type { HarborTask } from '../folder/harbor-task.ts';

/** Sends a folder of a task to the box, but for what its `.harborignore` leaves out. */
export async function send(
  runtime: RuntimeApi,
  { dir, leavesOut, hasIgnored }: Pick<HarborTask, 'dir' | 'leavesOut' | 'hasIgnored'>,
  folder: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  if (!hasIgnored) return runtime.upload(folder, path, signal);
  const copy = await mkdtemp(join(tmpdir(), 'vf-harbor-'));
  try {
    await cp(folder, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !leavesOut(relative(dir, source).split(sep).join('/')),
    });
    await runtime.upload(copy, path, signal);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
