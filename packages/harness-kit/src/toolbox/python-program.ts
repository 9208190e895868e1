import { join } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { runsOurs } from './libraries.ts';
import type { PythonProgram } from './package-of-program.ts';
import { installPython } from './python-install.ts';
import { unseen } from './unseen.ts';

/** A program in the box, and the Python that runs it. */
export interface PythonPaths {
  readonly program: string;
  /** Knows the program's packages. */
  readonly python: string;
}

/**
 * Paths in the box; installed when it is not there yet, once per machine. A copy of this machine's Python comes with
 * it, with all that it is linked to, so that a box needs neither Python nor a C library.
 * @throws VfError harness/install_failed
 */
export async function pythonProgram(
  program: PythonProgram,
  runtime: RuntimeApi,
  signal: AbortSignal,
): Promise<PythonPaths> {
  const { os, arch } = runtime.platform;
  if (!runsOurs(runtime.platform)) {
    const where = `${os} on ${arch}`;
    throw new VfError('harness/install_failed', `${program.name} cannot be brought to ${where}`, {
      hint: `its Python is a copy of this machine's, which is ${process.platform} on ${process.arch}`,
    });
  }
  const key = `${program.package}@${program.version}-${os}-${arch}-python`;
  const fill = (dir: string, fillSignal: AbortSignal): Promise<void> =>
    installPython(dir, program, fillSignal);
  const folder = await runtime.toolbox({ key, fill }, signal);
  if (folder === null) throw unseen(program.name);
  return {
    program: join(folder, 'bin', program.script),
    python: join(folder, 'bin/python'),
  };
}
