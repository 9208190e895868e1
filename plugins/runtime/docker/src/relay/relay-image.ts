import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import { promisify } from 'node:util';
import type { Engine } from '../engine/engine.ts';
import { addBytes, tarOf } from '../files/pack.ts';
import { follow } from '../image/follow.ts';
import { hasImage } from '../image/has-image.ts';
import { oncePer } from '../image/once-per.ts';
import { pulledImage } from '../image/pull.ts';

/** Used where our own node cannot run in a container: another system or architecture than the engine's. */
const pulled = 'node:24-alpine';

/** An image in which `node` runs, and how it is called there. */
export interface RelayImage {
  readonly image: string;
  readonly node: string;
}

/** The option, else an image made of the node that runs us, else one from the registry. */
export async function relayImage(
  engine: Engine,
  wanted: string | undefined,
  engineArch: string,
  signal: AbortSignal,
): Promise<RelayImage> {
  if (wanted !== undefined) {
    return { image: await pulledImage(engine, wanted, 'missing', signal), node: 'node' };
  }
  if (process.platform === 'linux' && process.arch === engineArch) {
    const own = await ownImage(engine);
    if (own !== null) return { image: own, node: '/node' };
  }
  return { image: await pulledImage(engine, pulled, 'missing', signal), node: 'node' };
}

/** Also when its file was replaced meanwhile. */
const ownNode = `/proc/${process.pid}/exe`;

const importOnce = oncePer<string | null>();

/** Our node and the libraries that it loads, nothing else; null when that cannot be told. */
function ownImage(engine: Engine): Promise<string | null> {
  return importOnce(engine.address, async () => {
    const { size } = await stat(ownNode);
    const libraries = await librariesOf(ownNode);
    if (libraries === null) return null;
    const key = createHash('sha256').update([process.version, size, ...libraries].join('\n'));
    const name = `vf-relay:relay-${key.digest('hex').slice(0, 16)}`;
    if (await hasImage(engine, name)) return name;
    const tar = tarOf(async (sink) => {
      // Folders too: a rootless engine makes those that are not named for root alone.
      for (const folder of foldersOf(libraries)) {
        await addBytes(sink, { name: folder, mode, type: 'directory' }, Buffer.alloc(0));
      }
      for (const [path, source] of [['/node', ownNode] as const, ...libraries.map(twice)]) {
        await addBytes(sink, { name: path.slice(1), mode }, await readFile(source));
      }
    });
    // The tag within the name: Podman 4 overlooks it beside.
    const answer = await engine.docker.importImage(tar, { repo: name });
    await follow(engine.docker, answer);
    return name;
  });
}

const mode = 0o755;

/** All folders on the way to the files, those further up first. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = posix.dirname(path); at !== '/'; at = posix.dirname(at)) folders.add(at.slice(1));
  }
  return [...folders].toSorted();
}

const twice = (path: string): readonly [string, string] => [path, path];

/** Paths of the shared libraries and the loader; none for a static program. */
async function librariesOf(program: string): Promise<readonly string[] | null> {
  try {
    const { stdout } = await promisify(execFile)('ldd', [program]);
    return [...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path ?? '');
  } catch {
    return null;
  }
}
