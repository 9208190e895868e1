import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { RuntimeApi } from '@vf/core';

type Platform = RuntimeApi['platform'];

/**
 * May programs of this machine run in such a box, with their libraries brought along? The C library that an image
 * has, or lacks, does not matter then.
 */
export function runsOurs({ os, arch }: Platform): boolean {
  return process.platform === 'linux' && os === 'linux' && process.arch === arch;
}

/** Programs that one `ldd` is asked about. */
const atOnce = 50;

/** Files of this machine that programs are linked to, their loader among them; none for static ones. */
async function librariesOf(
  programs: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let at = 0; at < programs.length; at += atOnce) {
    const list = await ldd(programs.slice(at, at + atOnce), signal);
    for (const path of librariesIn(list)) found.add(path);
  }
  return [...found];
}

/** Reads what `ldd` prints. */
export function librariesIn(list: string): readonly string[] {
  return list
    .split('\n')
    .flatMap((line) => /(?:=>|^)\s+(\/\S+) \(0x/.exec(line)?.[1] ?? [])
    .map((path) => path.trim());
}

/**
 * Copies the libraries of programs into `dir/lib`.
 * @returns name of the loader there, which starts them; null when the programs are static
 */
export async function bringLibraries(
  dir: string,
  programs: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  // What comes with the programs finds its way by itself.
  const libraries = (await librariesOf(programs, signal)).filter((path) => !path.startsWith(dir));
  const loader = libraries.map((path) => basename(path)).find((name) => name.startsWith('ld-'));
  if (loader === undefined) return null;
  await mkdir(join(dir, 'lib'), { recursive: true });
  await Promise.all(libraries.map((path) => copyFile(path, join(dir, 'lib', basename(path)))));
  return loader;
}

/** `ldd` fails for a static program, of which it has nothing to say. */
function ldd(programs: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('ldd', programs, { signal, maxBuffer: 1 << 24 }, (_error, stdout) => {
      if (signal.aborted) reject(signal.reason);
      else resolve(stdout);
    });
  });
}
