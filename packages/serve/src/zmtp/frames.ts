/** One frame of ZMTP 3: a part of a message, or a command. */
export interface Frame {
  readonly body: Buffer;
  readonly isCommand: boolean;
  /** Does the message go on behind it? */
  readonly hasMore: boolean;
}

const more = 0x01;
const long = 0x02;
const command = 0x04;

/** The bytes of a peer that speaks no ZMTP, or more of it than is taken. */
export class BrokenPeer extends Error {}

/** Cuts the bytes of a connection into what is expected next; large frames are joined once. */
export class FrameReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;
  #wanted = 1;

  /** @param maxBytes of one frame */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  /** The next `count` bytes; null while they are not there. */
  take(count: number): Buffer | null {
    this.#wanted = count;
    if (this.#size < count) return null;
    const bytes = this.#joined();
    this.#keep(bytes.subarray(count));
    return bytes.subarray(0, count);
  }

  /** The next frame; null while it is not whole. @throws BrokenPeer */
  frame(): Frame | null {
    if (this.#size < this.#wanted) return null;
    const bytes = this.#joined();
    const [flags = 0] = bytes;
    if ((flags & ~(more | long | command)) !== 0)
      throw new BrokenPeer(`no frame begins with ${flags}`);
    const head = (flags & long) === 0 ? 2 : 9;
    if (bytes.length < head) return this.#wait(head);
    const length = head === 2 ? bytes.readUInt8(1) : Number(bytes.readBigUInt64BE(1));
    if (length > this.#maxBytes) throw new BrokenPeer(`a frame of ${length} bytes`);
    if (bytes.length < head + length) return this.#wait(head + length);
    this.#keep(bytes.subarray(head + length));
    return {
      body: bytes.subarray(head, head + length),
      isCommand: (flags & command) !== 0,
      hasMore: (flags & more) !== 0,
    };
  }

  #wait(count: number): null {
    this.#wanted = count;
    return null;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && this.#chunks.length === 1) return first;
    const bytes = Buffer.concat(this.#chunks, this.#size);
    this.#chunks = [bytes];
    return bytes;
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    this.#wanted = 1;
  }
}

/** What stands before a frame's body. */
export function frameHead(length: number, kind: 'more' | 'last' | 'command'): Buffer {
  const flags = kind === 'more' ? more : kind === 'command' ? command : 0;
  if (length < 0x100) return Buffer.from([flags, length]);
  const head = Buffer.allocUnsafe(9);
  head[0] = flags | long;
  head.writeBigUInt64BE(BigInt(length), 1);
  return head;
}
