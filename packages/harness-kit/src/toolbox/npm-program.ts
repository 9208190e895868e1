import { join } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { commandOf, installInto } from './install-into.ts';
import { unseen } from './unseen.ts';

/** A program that comes as an npm package. */
export interface NpmProgram {
  /** How messages call it. */
  readonly name: string;
  readonly package: string;
  /** An exact one. */
  readonly version: string;
  /** Where it lies below `node_modules`, as a glob; called directly, so install scripts are not needed. */
  readonly executable: string;
  /** For a script: the exact version of Node that runs it, brought along, so that a box needs none. */
  readonly node?: string;
  /** Its build for glibc is taken in every box, even where there is one for the box's C library. */
  readonly libc?: 'glibc';
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
  const { platform } = runtime;
  const fill = (dir: string, fillSignal: AbortSignal): Promise<void> =>
    installInto(dir, program, platform, fillSignal);
  const folder = await runtime.toolbox({ key: keyOf(program, platform), fill }, signal);
  if (folder === null) throw unseen(program.name);
  return join(folder, 'bin', commandOf(program));
}

function keyOf(program: NpmProgram, { os, arch, libc }: RuntimeApi['platform']): string {
  const { version, node } = program;
  const name = program.package.replace(/^@/, '').replace('/', '-');
  const parts = [os, arch, libc, node === undefined ? null : `node-${node}`];
  return [`${name}@${version}`, ...parts.filter((part) => part !== null)].join('-');
}
