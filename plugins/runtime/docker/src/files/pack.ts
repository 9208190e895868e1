import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Headers, Pack } from 'tar-stream';
import { pack } from 'tar-stream';
import type { LocalEntry } from './local-tree.ts';

/** Whose the files will be in the box. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const largestWhole = 1024 * 1024;

/** A tar that `write` fills while it is read; a failure there breaks the stream with the same error. */
export function tarOf(write: (tar: Pack) => Promise<void>): Pack {
  const tar = pack();
  write(tar).then(
    () => tar.finalize(),
    (error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return tar;
}

export async function addBytes(tar: Pack, header: Headers, bytes: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    tar.entry(header, Buffer.from(bytes), (error) => (error ? reject(error) : resolve()));
  });
}

/** Adds a thing of this machine under `name`. */
export async function addLocal(
  tar: Pack,
  root: string,
  entry: LocalEntry,
  name: string,
  owner: Owner,
): Promise<void> {
  const { mode, kind, size } = entry;
  const header = { name, mode, ...owner };
  if (kind === 'folder') return addBytes(tar, { ...header, type: 'directory' }, Buffer.alloc(0));
  if (kind === 'link') {
    const link = { ...header, type: 'symlink', linkname: entry.linkTarget } as const;
    return addBytes(tar, link, Buffer.alloc(0));
  }
  const path = join(root, entry.path);
  if (size <= largestWhole) return addBytes(tar, header, await readFile(path));
  const sink = tar.entry({ ...header, size });
  await pipeline(createReadStream(path), sink);
}
