import { glob, mkdir, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { emptied } from './emptied.ts';
import { writeLauncher } from './launcher.ts';
import { bringLibraries, runsOurs } from './libraries.ts';
import { npmInstall } from './npm-install.ts';
import type { NpmProgram } from './package-of-program.ts';

type Platform = RuntimeApi['platform'];

/**
 * Fills a toolbox folder with a program and, for a script, its Node. Where there is no build for the box's C library
 * the one for glibc is taken, with the libraries of this machine.
 * @throws VfError harness/install_failed
 */
export async function installInto(
  dir: string,
  program: NpmProgram,
  platform: Platform,
  signal: AbortSignal,
): Promise<void> {
  for (const [tried, way] of waysFor(program, platform).entries()) {
    if (tried > 0) await emptied(dir);
    const nodePackage = program.node === undefined ? null : `node-${way.os}-${way.arch}`;
    const beside = nodePackage === null ? [] : [`${nodePackage}@${program.node}`];
    await npmInstall(program, beside, way, dir, signal);
    const found = await firstMatch(join(dir, 'node_modules'), program.executable);
    if (found === null) continue;
    const node = nodePackage && join(dir, 'node_modules', nodePackage, 'bin/node');
    const isBrought = way.libc !== platform.libc;
    const loader = isBrought ? await bringLibraries(dir, [node ?? found], signal) : null;
    await (node === null
      ? startNative(dir, commandOf(program), found, loader)
      : startScript(dir, commandOf(program), found, node, loader));
    return;
  }
  throw noProgram(program, platform);
}

/** The program's name below `bin`. */
export function commandOf({ name, executable, node }: NpmProgram): string {
  return node === undefined ? basename(executable) : name;
}

/** For which platforms to install, the best one first. Node itself comes by npm for glibc and macOS alone. */
function waysFor({ node, libc }: NpmProgram, platform: Platform): readonly Platform[] {
  if (platform.os !== 'linux' || platform.libc === 'glibc') return [platform];
  const brought = runsOurs(platform) ? [{ ...platform, libc: 'glibc' as const }] : [];
  const mayHaveOwn = node === undefined && libc === undefined;
  const hasOwn = mayHaveOwn && (platform.libc === 'musl' || brought.length === 0);
  return hasOwn ? [platform, ...brought] : brought;
}

async function startNative(
  dir: string,
  name: string,
  program: string,
  loader: string | null,
): Promise<void> {
  if (loader !== null) return writeLauncher(dir, { name, program, loader });
  await linkInBin(dir, name, program);
}

async function startScript(
  dir: string,
  name: string,
  script: string,
  node: string,
  loader: string | null,
): Promise<void> {
  const entry = `$root/${relative(dir, script)}`;
  if (loader === null) {
    await linkInBin(dir, 'node', node);
    return writeLauncher(dir, { name, program: join(dir, 'bin/node'), loader, args: [entry] });
  }
  // Scripts start further ones by the path of their Node, which is the loader's when nothing is said.
  await mkdir(join(dir, 'bin'), { recursive: true });
  const preload = join(dir, 'bin/exec-path.cjs');
  await writeFile(preload, `process.execPath = require('node:path').join(__dirname, 'node');\n`);
  const args = ['--require', '$root/bin/exec-path.cjs'];
  await writeLauncher(dir, { name: 'node', program: node, loader, args });
  await writeLauncher(dir, { name, program: join(dir, 'bin/node'), loader: null, args: [entry] });
}

/** A name that does not depend on version and platform. */
async function linkInBin(dir: string, name: string, path: string): Promise<void> {
  const bin = join(dir, 'bin');
  await mkdir(bin, { recursive: true });
  await symlink(relative(bin, path), join(bin, name));
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
