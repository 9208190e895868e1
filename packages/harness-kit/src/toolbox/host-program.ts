import { constants } from 'node:fs';
import { access, copyFile, cp, mkdir } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { writeLauncher } from './launcher.ts';
import { bringLibraries, runsOurs } from './libraries.ts';

/** A program of this machine that a box may lack. */
export interface HostProgram {
  /** As on PATH. */
  readonly name: string;
  /** Further files and folders that it needs: where they lie here, and below the toolbox folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Shell lines before it starts; `$root` is the toolbox folder. */
  readonly prelude?: string;
}

/**
 * Path in the box of a copy of this machine's program, with all that it is linked to; null where it cannot be had: it
 * is not here, does not run there, or the box sees nothing of the host.
 */
export async function hostProgram(
  program: HostProgram,
  runtime: RuntimeApi,
  signal: AbortSignal,
): Promise<string | null> {
  if (!runsOurs(runtime.platform)) return null;
  const path = await onPath(program.name);
  if (path === null) return null;
  const { os, arch } = runtime.platform;
  const fill = async (dir: string, fillSignal: AbortSignal): Promise<void> => {
    const copy = join(dir, 'libexec', basename(path));
    await mkdir(dirname(copy));
    await copyFile(path, copy);
    for (const [from, to] of Object.entries(program.files ?? {})) {
      await cp(from, join(dir, to), { recursive: true, dereference: true });
    }
    const loader = await bringLibraries(dir, [path], fillSignal);
    const { name, prelude = '' } = program;
    await writeLauncher(dir, { name, program: copy, loader, prelude });
  };
  const folder = await runtime.toolbox({ key: `${program.name}-${os}-${arch}`, fill }, signal);
  return folder === null ? null : join(folder, 'bin', program.name);
}

async function onPath(name: string): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return null;
}
