import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
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
    const tag = `relay-${key.digest('hex').slice(0, 16)}`;
    const name = `vf-relay:${tag}`;
    if (await hasImage(engine, name)) return name;
    const tar = tarOf(async (sink) => {
      for (const [target, source] of [['node', ownNode] as const, ...libraries.map(twice)]) {
        const header = { name: target.replace(/^\//, ''), mode: 0o755 };
        await addBytes(sink, header, await readFile(source));
      }
    });
    const answer = await engine.docker.importImage(tar, { repo: 'vf-relay', tag });
    await follow(engine.docker, answer);
    return name;
  });
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
