import { readdirSync } from 'node:fs';
import type { RuntimeApi } from '@vf/core';

type Platform = RuntimeApi['platform'];

let known: Platform | null = null;

/** Of this machine. */
export function hostPlatform(): Platform {
  known ??= { os: process.platform, arch: process.arch, libc: libc() };
  return known;
}

/** By the loaders at hand; a machine with both is a glibc one with musl added. */
function libc(): Platform['libc'] {
  if (process.platform !== 'linux') return null;
  const loaders = ['/lib', '/lib64'].flatMap(namesIn);
  const glibc = loaders.some((name) => name.startsWith('ld-linux'));
  return !glibc && loaders.some((name) => name.startsWith('ld-musl-')) ? 'musl' : 'glibc';
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
