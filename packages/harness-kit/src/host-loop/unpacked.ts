import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib';

const unpackers: Readonly<Record<string, (packed: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
  identity: async (packed) => packed,
};

/**
 * The text of a reply that came packed though nobody asked for it.
 * @throws Error when it is not what `encoding` says, or packed in a way unknown here
 */
export async function unpacked(body: ArrayBuffer, encoding: string): Promise<string> {
  const unpack = unpackers[encoding.trim().toLowerCase()];
  if (unpack === undefined) throw new Error(`the reply is packed with ${encoding}`);
  return (await unpack(Buffer.from(body))).toString('utf8');
}
