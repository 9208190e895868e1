import { glob, mkdir, symlink } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { npmInstall } from './npm-install.ts';

/** A native program that comes as an npm package. */
export interface NpmProgram {
  /** How messages call it. */
  readonly name: string;
  readonly package: string;
  /** An exact one. */
  readonly version: string;
  /** Where it lies below `node_modules`, as a glob; called directly, so install scripts are not needed. */
  readonly executable: string;
}

/**
 * Path of the program in the box; installed with the npm of this machine when it is not there yet, once for each
 * version and platform.
 * @throws VfError harness/install_failed
 */
export async function npmProgram(
  program: NpmProgram,
  runtime: RuntimeApi,
  signal: AbortSignal,
): Promise<string> {
  const { os, arch, libc } = runtime.platform;
  const platform = [os, arch, libc].filter((part) => part !== null).join('-');
  const key = `${program.package}@${program.version}-${platform}`
    .replace(/^@/, '')
    .replace('/', '-');
  const fill = (dir: string, fillSignal: AbortSignal): Promise<void> =>
    install(program, runtime.platform, dir, fillSignal);
  const folder = await runtime.toolbox({ key, fill }, signal);
  if (folder !== null) return join(folder, 'bin', basename(program.executable));
  throw new VfError(
    'harness/install_failed',
    `${program.name} cannot be brought into this box, which does not see the host's files`,
    { hint: 'use --runtime subprocess or docker' },
  );
}

async function install(
  program: NpmProgram,
  platform: RuntimeApi['platform'],
  dir: string,
  signal: AbortSignal,
): Promise<void> {
  await npmInstall(program, platform, dir, signal);
  const found = await firstMatch(join(dir, 'node_modules'), program.executable);
  if (found === null) {
    const { os, arch } = platform;
    const message = `${program.package} ${program.version} has no program for ${os} on ${arch}`;
    throw new VfError('harness/install_failed', message, {
      hint: `another version may: --harness.version, or npm view ${program.package} versions`,
    });
  }
  // A name that does not depend on version and platform; relative, since the folder is moved when it is filled.
  const bin = join(dir, 'bin');
  await mkdir(bin);
  await symlink(relative(bin, found), join(bin, basename(program.executable)));
}

async function firstMatch(folder: string, pattern: string): Promise<string | null> {
  for await (const path of glob(pattern, { cwd: folder })) return join(folder, path);
  return null;
}
