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

/** An image that boxes are made of, or a service beside them. */
export interface NamedImage {
  readonly image: string;
  /** Which service of which files has it; absent for the box itself. */
  readonly whose?: string;
  /** What the service asks for in words: `linux/arm64`. */
  readonly platform?: string;
}

/**
 * Compares what the engine has under these names, or what is asked for, with its own processor.
 * @returns a sentence on each foreign image that may run, emulated
 * @throws VfError misfit/plan with all those that cannot
 */
export async function checkArchitectures(
  engine: Engine,
  images: readonly NamedImage[],
): Promise<readonly string[]> {
  const { arch, runsHere } = await aboutEngine(engine);
  const notes: string[] = [];
  const refused: string[] = [];
  for (const { image, whose, platform } of unique(images)) {
    const own = archOf(platform) ?? (await imageInfo(engine, image))?.Architecture ?? arch;
    if (own === arch || (own === '386' && arch === 'amd64')) continue;
    const named = whose === undefined ? `image ${image}` : `image ${image} of ${whose}`;
    const what = `${named} is for ${own}, the engine runs ${arch}`;
    if (runsHere && !canEmulate(own)) refused.push(what);
    else notes.push(`${what}: it is emulated, if at all`);
  }
  if (refused.length === 0) return notes;
  throw new VfError('misfit/plan', refused.join('; '), {
    retryable: false,
    hint: `an image for ${arch}, or an emulator: docker run --privileged --rm tonistiigi/binfmt --install all`,
  });
}

/** What tasks share is told once. */
function unique(images: readonly NamedImage[]): Iterable<NamedImage> {
  const byName = new Map<string, NamedImage>();
  for (const named of images) {
    const name = `${named.platform ?? ''} ${named.image}`;
    if (!byName.has(name)) byName.set(name, named);
  }
  return byName.values();
}

const otherNames: Readonly<Record<string, string>> = { x86_64: 'amd64', aarch64: 'arm64' };

/** `linux/arm64/v8`, or the architecture alone, as images name it; null when nothing is said. */
function archOf(platform: string | undefined): string | null {
  if (platform === undefined) return null;
  const [first = '', second = first] = platform.split('/');
  return otherNames[second] ?? second;
}

function canEmulate(arch: string): boolean {
  return existsSync(`/proc/sys/fs/binfmt_misc/${emulators[arch] ?? `qemu-${arch}`}`);
}
