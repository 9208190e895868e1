import { existsSync } from 'node:fs';
import { VfError } from '@vf/core/errors';
import { aboutEngine } from '../engine/about.ts';
import type { Engine } from '../engine/engine.ts';
import { imageInfo } from './has-image.ts';

/** As the kernel's registry of foreign programs names emulators, by the architecture's name in images. */
const emulators: Readonly<Record<string, string>> = {
  amd64: 'qemu-x86_64',
  arm64: 'qemu-aarch64',
  arm: 'qemu-arm',
  '386': 'qemu-i386',
  ppc64le: 'qemu-ppc64le',
  riscv64: 'qemu-riscv64',
  s390x: 'qemu-s390x',
};

/**
 * Compares what the engine has under these names with its own processor.
 * @returns a sentence on each foreign image that may run, emulated
 * @throws VfError misfit/plan with all those that cannot
 */
export async function checkArchitectures(
  engine: Engine,
  images: readonly string[],
): Promise<readonly string[]> {
  const { arch, runsHere } = await aboutEngine(engine);
  const notes: string[] = [];
  const refused: string[] = [];
  for (const image of images) {
    const own = (await imageInfo(engine, image))?.Architecture ?? arch;
    if (own === arch || (own === '386' && arch === 'amd64')) continue;
    const what = `image ${image} is for ${own}, the engine runs ${arch}`;
    if (runsHere && !canEmulate(own)) refused.push(what);
    else notes.push(`${what}: it is emulated, if at all`);
  }
  if (refused.length === 0) return notes;
  throw new VfError('misfit/plan', refused.join('; '), {
    retryable: false,
    hint: `an image for ${arch}, or an emulator: docker run --privileged --rm tonistiigi/binfmt --install all`,
  });
}

function canEmulate(arch: string): boolean {
  return existsSync(`/proc/sys/fs/binfmt_misc/${emulators[arch] ?? `qemu-${arch}`}`);
}
