import { createWriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { createGunzip } from 'node:zlib';
import { VfError } from '@vf/core/errors';
import { extract } from 'tar-stream';
import type { Entry } from 'tar-stream';
import { isInside } from '../inside.ts';

const mostBytes = 8 * 1024 ** 3;

/**
 * Unpacks a `tar.gz` into a new folder. Packages hold files and folders; an entry of another kind, or one that leads
 * out of the folder, is refused.
 * @throws VfError taskset/load_failed
 */
export async function unpack(
  archive: ReadableStream<Uint8Array>,
  folder: string,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const entries = extract();
  const reading = pipeline(Readable.fromWeb(archive as WebStream), createGunzip(), entries, {
    signal,
  });
  try {
    let bytes = 0;
    for await (const entry of entries) {
      bytes += entry.header.size ?? 0;
      if (bytes > mostBytes) throw bad(name, 'is over 8 GiB');
      await put(entry, folder, name);
    }
    await reading;
  } catch (error) {
    entries.destroy();
    await reading.catch(() => undefined);
    signal.throwIfAborted();
    if (VfError.isInstance(error)) throw error;
    throw bad(name, 'cannot be unpacked', error);
  }
}

async function put(entry: Entry, folder: string, name: string): Promise<void> {
  const { name: path, type, mode = 0o644 } = entry.header;
  if (!isInside(path)) throw bad(name, `leads out of its folder: ${path}`);
  const target = join(folder, path);
  if (type === 'directory') {
    await mkdir(target, { recursive: true });
    entry.resume();
    return;
  }
  if (type !== 'file') throw bad(name, `holds ${path}, which is a ${type}`);
  await mkdir(dirname(target), { recursive: true });
  await pipeline(entry, createWriteStream(target, { flags: 'wx' }));
  await chmod(target, mode & 0o777);
}

function bad(name: string, what: string, cause?: unknown): VfError {
  return new VfError('taskset/load_failed', `the archive of ${name} ${what}`, { cause });
}
