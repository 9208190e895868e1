import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type { HarborTask } from '../folder/harbor-task.ts';

/**
 * Sends a folder of a task to the box, but for what its `.harborignore` leaves out.
 * @throws VfError taskset/hook_failed when it holds what cannot be sent: it has changed since it was loaded
 */
export async function send(
  runtime: RuntimeApi,
  task: Pick<HarborTask, 'dir' | 'leavesOut' | 'hasIgnored'>,
  folder: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await sendAll(runtime, task, folder, path, signal);
  } catch (error) {
    if (!VfError.isInstance(error) || !ofThisMachine.has(error.code)) throw error;
    throw new VfError('taskset/hook_failed', error.message, { cause: error });
  }
}

/** What an upload says of the folder, not of the box. */
const ofThisMachine = new Set(['runtime/file_not_found', 'runtime/bad_archive']);

async function sendAll(
  runtime: RuntimeApi,
  { dir, leavesOut, hasIgnored }: Pick<HarborTask, 'dir' | 'leavesOut' | 'hasIgnored'>,
  folder: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  // It may be a link to tests that several tasks share.
  const real = await realpath(folder);
  if (!hasIgnored) return runtime.upload(real, path, signal);
  const copy = await mkdtemp(join(tmpdir(), 'vf-harbor-'));
  try {
    await cp(real, copy, {
      recursive: true,
      verbatimSymlinks: true,
      filter(source) {
        const own = join(folder, relative(real, source));
        return !leavesOut(relative(dir, own).split(sep).join('/'));
      },
    });
    await runtime.upload(copy, path, signal);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
