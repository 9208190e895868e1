import { stat } from 'node:fs/promises';
import { basename, dirname, posix, resolve } from 'node:path';
import type Docker from 'dockerode';
import type { Pack } from 'tar-stream';
import { notFound, statOf } from './archive.ts';
import { localTree } from './local-tree.ts';
import type { Owner } from './pack.ts';
import { addBytes, addLocal, tarOf } from './pack.ts';

type Container = Docker.Container;

/** Writes a file; folders on the way to it that are missing are made, all for `owner`. */
export async function putFile(
  container: Container,
  path: string,
  data: Uint8Array | string,
  options: { readonly mode: number; readonly owner: Owner; readonly signal?: AbortSignal },
): Promise<void> {
  const { mode, owner, signal } = options;
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  await put(container, posix.dirname(path), owner, signal, (tar, folder) =>
    addBytes(tar, { name: posix.join(folder, posix.basename(path)), mode, ...owner }, bytes),
  );
}

/** Makes a folder, unless it is there. */
export async function putFolder(
  container: Container,
  path: string,
  mode: number,
  owner: Owner,
): Promise<void> {
  await put(container, posix.dirname(path), owner, undefined, (tar, folder) => {
    const name = posix.join(folder, posix.basename(path));
    return addBytes(tar, { name, type: 'directory', mode, ...owner }, Buffer.alloc(0));
  });
}

/**
 * Puts a tree beside what is in the folder `path`; a single file is put into it under its name.
 * @throws VfError runtime/file_not_found for what cannot be read here; runtime/bad_archive for a link out of the tree
 * (not with `anyLink`), a socket or a device
 */
export async function putTree(
  container: Container,
  localDir: string,
  path: string,
  options: {
    readonly owner: Owner;
    readonly anyLink?: boolean;
    readonly signal: AbortSignal | undefined;
  },
): Promise<void> {
  const { owner, anyLink = false, signal } = options;
  const local = resolve(localDir);
  const stats = await stat(local).catch((error: unknown) => {
    throw notFound(local, 'is not on this machine', error);
  });
  const root = stats.isDirectory() ? local : dirname(local);
  const first = stats.isDirectory() ? '' : basename(local);
  await put(container, path, owner, signal, async (tar, folder) => {
    try {
      for await (const entry of localTree(root, { start: first, anyLink })) {
        signal?.throwIfAborted();
        // A folder that is there keeps its mode and owner.
        if (entry.path === '') continue;
        await addLocal(tar, root, entry, posix.join(folder, entry.path), owner);
      }
    } catch (error) {
      throw isOfFile(error) ? notFound(error.path, 'cannot be read on this machine', error) : error;
    }
  });
}

/** Not of the engine's socket, whose errors have the same codes. */
function isOfFile(error: unknown): error is Error & { readonly path: string } {
  return error instanceof Error && 'path' in error && typeof error.path === 'string';
}

/**
 * Sends a tar to the nearest folder above `folder` that is there. `add` gets the way from that one to `folder`, whose
 * parts are in the tar already.
 */
async function put(
  container: Container,
  folder: string,
  owner: Owner,
  signal: AbortSignal | undefined,
  add: (tar: Pack, folder: string) => Promise<void>,
): Promise<void> {
  signal?.throwIfAborted();
  const base = await nearestFolder(container, folder, signal);
  const way = posix.relative(base, folder);
  const tar = tarOf(async (sink) => {
    let made = '';
    for (const part of way === '' ? [] : way.split('/')) {
      made = posix.join(made, part);
      const header = { name: made, type: 'directory', mode: 0o755, ...owner } as const;
      await addBytes(sink, header, Buffer.alloc(0));
    }
    await add(sink, way);
  });
  const broken = new Promise<never>((_resolve, reject) => tar.once('error', reject));
  const options = { path: base, ...(signal === undefined ? {} : { abortSignal: signal }) };
  await Promise.race([broken, container.putArchive(tar, options)]);
}

async function nearestFolder(
  container: Container,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  for (let at = folder; at !== '/'; at = posix.dirname(at)) {
    if ((await statOf(container, at, signal)) !== null) return at;
  }
  return '/';
}
