import { join } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { commandOf, installInto } from './install-into.ts';
import type { NpmProgram } from './package-of-program.ts';
import { unseen } from './unseen.ts';

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
