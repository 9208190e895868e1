import { once } from 'node:events';
import * as zlib from 'node:zlib';
import type { Delivery } from './script.ts';

type Encoding = NonNullable<Delivery['encoding']>;

const compressors = {
  gzip: () => zlib.createGzip(),
  br: () => zlib.createBrotliCompress(),
  zstd: () => zlib.createZstdCompress(),
} satisfies Record<Encoding, () => zlib.Gzip | zlib.BrotliCompress | zlib.ZstdCompress>;

/** Compresses a body piece by piece; each piece can be unpacked as soon as it has come. */
export class Packer {
  readonly #stream: zlib.Gzip | zlib.BrotliCompress | zlib.ZstdCompress;
  readonly #chunks: Buffer[] = [];

  constructor(encoding: Encoding) {
    this.#stream = compressors[encoding]();
    this.#stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
  }

  async pack(bytes: Buffer): Promise<Buffer> {
    this.#stream.write(bytes);
    await new Promise<void>((resolve) => this.#stream.flush(resolve));
    return this.#taken();
  }

  async end(): Promise<Buffer> {
    const ended = once(this.#stream, 'end');
    this.#stream.end();
    await ended;
    return this.#taken();
  }

  #taken(): Buffer {
    return Buffer.concat(this.#chunks.splice(0));
  }
}

/** Undoes the `content-encoding` of a request. */
export function unpack(bytes: Buffer, encoding: string | undefined): Buffer {
  switch (encoding) {
    case 'gzip':
      return zlib.gunzipSync(bytes);
    case 'deflate':
      return zlib.inflateSync(bytes);
    case 'br':
      return zlib.brotliDecompressSync(bytes);
    case 'zstd':
      return zlib.zstdDecompressSync(bytes);
    default:
      return bytes;
  }
}
