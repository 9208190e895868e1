/** What stands at a place of msgpack bytes. `size` counts bytes of text and blobs, items of lists, pairs of maps. */
export type Token =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'text' | 'blob' | 'list' | 'map'; readonly size: number };

/** Bytes that are no msgpack, or end too early. */
export class NotMsgpack extends Error {}

const deepest = 200;

/** Walks over msgpack token by token; keeps floats and integers apart, which decoding to numbers does not. */
export class Scanner {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = at;
  }

  /** Takes one token; of text and blobs the bytes too. @throws NotMsgpack */
  next(): Token & { readonly start: number } {
    try {
      const token = this.#token();
      const start = this.at;
      if (token.kind === 'text' || token.kind === 'blob') this.at += token.size;
      if (this.at > this.#bytes.length) throw new NotMsgpack('the bytes end too early');
      return { ...token, start };
    } catch (error) {
      if (error instanceof RangeError) throw new NotMsgpack('the bytes end too early');
      throw error;
    }
  }

  /** Steps over one whole value. */
  skip(depth = 0): void {
    if (depth > deepest) throw new NotMsgpack('nested too deep');
    const token = this.next();
    const count = token.kind === 'list' ? token.size : token.kind === 'map' ? 2 * token.size : 0;
    for (let i = 0; i < count; i++) this.skip(depth + 1);
  }

  slice(start: number, end: number): Uint8Array {
    return this.#bytes.subarray(start, end);
  }

  #token(): Token {
    const code = this.#view.getUint8(this.at++);
    if (code < 0x80) return integer(code);
    if (code < 0x90) return { kind: 'map', size: code & 0x0f };
    if (code < 0xa0) return { kind: 'list', size: code & 0x0f };
    if (code < 0xc0) return { kind: 'text', size: code & 0x1f };
    if (code >= 0xe0) return integer(code - 0x100);
    return this.#long(code);
  }

  #long(code: number): Token {
    const view = this.#view;
    switch (code) {
      case 0xc0:
        return { kind: 'null' };
      case 0xc2:
      case 0xc3:
        return { kind: 'boolean', value: code === 0xc3 };
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return { kind: 'blob', size: this.#size(code - 0xc4) };
      case 0xca:
        return { kind: 'float', value: view.getFloat32(this.#take(4)) };
      case 0xcb:
        return { kind: 'float', value: view.getFloat64(this.#take(8)) };
      case 0xcc:
      case 0xcd:
      case 0xce:
        return integer(this.#size(code - 0xcc));
      case 0xcf:
        return { kind: 'integer', value: view.getBigUint64(this.#take(8)) };
      case 0xd0:
        return integer(view.getInt8(this.#take(1)));
      case 0xd1:
        return integer(view.getInt16(this.#take(2)));
      case 0xd2:
        return integer(view.getInt32(this.#take(4)));
      case 0xd3:
        return { kind: 'integer', value: view.getBigInt64(this.#take(8)) };
      case 0xd9:
      case 0xda:
      case 0xdb:
        return { kind: 'text', size: this.#size(code - 0xd9) };
      case 0xdc:
      case 0xdd:
        return { kind: 'list', size: this.#size(code - 0xdb) };
      case 0xde:
      case 0xdf:
        return { kind: 'map', size: this.#size(code - 0xdd) };
      default:
        throw new NotMsgpack(`byte 0x${code.toString(16)} has no meaning here`);
    }
  }

  /** An unsigned number of 1, 2 or 4 bytes. */
  #size(power: number): number {
    if (power === 0) return this.#view.getUint8(this.#take(1));
    return power === 1 ? this.#view.getUint16(this.#take(2)) : this.#view.getUint32(this.#take(4));
  }

  #take(count: number): number {
    const { at } = this;
    this.at += count;
    return at;
  }
}

function integer(value: number): Token {
  return { kind: 'integer', value: BigInt(value) };
}

/** The bytes of one field of a packed map; null when the map has none of that name. @throws NotMsgpack */
export function fieldOf(bytes: Uint8Array, name: string): Uint8Array | null {
  const scanner = new Scanner(bytes);
  const top = scanner.next();
  if (top.kind !== 'map') return null;
  for (let i = 0; i < top.size; i++) {
    const key = scanner.next();
    if (key.kind !== 'text') throw new NotMsgpack('a key is no text');
    const isWanted = Buffer.from(scanner.slice(key.start, scanner.at)).toString() === name;
    const start = scanner.at;
    scanner.skip();
    if (isWanted) return scanner.slice(start, scanner.at);
  }
  return null;
}
