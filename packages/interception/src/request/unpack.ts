import { Readable } from 'node:stream';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

export type UnpackFailure = 'too-large' | 'unknown-encoding' | 'damaged';

/** A packed body that cannot be unpacked: `too-large` is a 413, `unknown-encoding` a 415, `damaged` a 400. */
export class UnpackError extends Error {
  readonly reason: UnpackFailure;

  constructor(reason: UnpackFailure, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UnpackError';
    this.reason = reason;
  }
}

export interface UnpackOptions {
  /** Most bytes once unpacked. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** More layers than anyone packs. */
const mostLayers = 4;

/** Names of a `content-encoding`, in the order they were applied; empty when the body is not packed. */
export function encodingsOf(header: string | undefined): readonly string[] {
  const names = (header ?? '').split(',', 64).map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '' && name !== 'identity');
}

/**
 * The unpacked bytes of a request or a reply as they come. Stopping early ends the source too.
 * @throws UnpackError while it is read; errors of the source come through as they are
 */
export async function* unpack(
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  contentEncoding: string | undefined,
  { limit, signal }: UnpackOptions,
): AsyncGenerator<Uint8Array, void, void> {
  const encodings = encodingsOf(contentEncoding);
  if (encodings.length > mostLayers)
    throw new UnpackError('unknown-encoding', `a body packed ${encodings.length} times`);
  let length = 0;
  for await (const chunk of encodings.reduceRight(layer(signal), checked(body))) {
    length += chunk.length;
    if (length > limit)
      throw new UnpackError('too-large', `the body is larger than ${limit} bytes once unpacked`);
    yield chunk;
  }
}

/** All of `unpack` as a list of chunks. */
export async function unpackWhole(
  body: readonly Uint8Array[],
  contentEncoding: string | undefined,
  options: UnpackOptions,
): Promise<readonly Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of unpack(body, contentEncoding, options)) chunks.push(chunk);
  return chunks;
}

type Bytes = AsyncIterable<Uint8Array>;

async function* checked(body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Bytes {
  yield* body;
}

const layer =
  (signal: AbortSignal | undefined) =>
  (source: Bytes, encoding: string): Bytes =>
    unpackLayer(source, encoding, signal);

async function* unpackLayer(
  source: Bytes,
  encoding: string,
  signal: AbortSignal | undefined,
): Bytes {
  const iterator = source[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return;
  let failure: { readonly error: unknown } | null = null;
  async function* input(): Bytes {
    try {
      yield first.value;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } catch (error) {
      failure = { error };
      throw error;
    }
  }
  const decoder = decoderOf(encoding, first.value);
  // Whoever iterates the decoder hears of every failure.
  const unheard = pipeline(
    Readable.from(input(), { objectMode: false }),
    decoder,
    signal === undefined ? {} : { signal },
  );
  unheard.catch(() => undefined);
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } catch (error) {
    const cause = failure as { readonly error: unknown } | null;
    if (cause !== null) throw cause.error;
    signal?.throwIfAborted();
    throw new UnpackError(
      'damaged',
      `the body is not what its content-encoding says: ${encoding}`,
      error,
    );
  } finally {
    decoder.destroy();
  }
}

function decoderOf(encoding: string, start: Uint8Array): Transform {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding === 'zstd') return createZstdDecompress();
  // Some senders leave out the zlib wrapper that the name asks for.
  if (encoding === 'deflate')
    return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  throw new UnpackError('unknown-encoding', `a body packed with '${encoding}'`);
}
