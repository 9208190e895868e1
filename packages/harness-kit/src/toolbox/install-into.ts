import { glob, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { npmInstall } from './npm-install.ts';
import type { NpmProgram } from './npm-program.ts';

type Platform = RuntimeApi['platform'];

/**
 * Fills a toolbox folder with a program and, for a script, its Node.
 * @throws VfError harness/install_failed
 */
export async function installInto(
  dir: string,
  program: NpmProgram,
  platform: Platform,
  signal: AbortSignal,
): Promise<void> {
  const { node } = program;
  const nodePackage = node === undefined ? null : nodePackageFor(program, platform);
  const beside = nodePackage === null ? [] : [`${nodePackage}@${node}`];
  await npmInstall(program, beside, platform, dir, signal);
  const found = await firstMatch(join(dir, 'node_modules'), program.executable);
  if (found === null) throw noProgram(program, platform);
  // Names that do not depend on version and platform; relative, since the folder is moved when it is filled.
  const bin = join(dir, 'bin');
  const link = (name: string, path: string): Promise<void> =>
    symlink(relative(bin, path), join(bin, name));
  await mkdir(bin);
  if (nodePackage === null) return link(commandOf(program), found);
  await link('node', join(dir, 'node_modules', nodePackage, 'bin/node'));
  const start = `#!/bin/sh\nbin=\${0%/*}\nexec "$bin/node" "$bin/${relative(bin, found)}" "$@"\n`;
  await writeFile(join(bin, commandOf(program)), start, { mode: 0o755 });
}

/** The program's name below `bin`. */
export function commandOf({ name, executable, node }: NpmProgram): string {
  return node === undefined ? basename(executable) : name;
}

/** Node's own builds for npm: for glibc and macOS. */
function nodePackageFor(program: NpmProgram, platform: Platform): string {
  if (platform.libc === 'musl') throw noProgram(program, platform);
  return `node-${platform.os}-${platform.arch}`;
}

function noProgram(program: NpmProgram, { os, arch, libc }: Platform): VfError {
  const where = libc === 'musl' ? `${os} with musl on ${arch}` : `${os} on ${arch}`;
  const message = `${program.package} ${program.version} has no program for ${where}`;
  return new VfError('harness/install_failed', message, {
    hint: `another version may: --harness.version, or npm view ${program.package} versions`,
  });
}

async function firstMatch(folder: string, pattern: string): Promise<string | null> {
  for await (const path of glob(pattern, { cwd: folder })) return join(folder, path);
  return null;
}
