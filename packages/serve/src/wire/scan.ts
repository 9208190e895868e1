/** What stands at a place of msgpack bytes. `size` counts bytes of text and blobs, items of lists, pairs of maps. */
export type Token =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'text' | 'blob' | 'list' | 'map'; readonly size: number };

/** Bytes that are no msgpack, or end too early. */
export class NotMsgpack extends Error {}

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

/** The bytes of each field of a packed map, of a name that comes twice the last; null for what is no map. @throws NotMsgpack */
export function fieldsOf(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> | null {
  const scanner = new Scanner(bytes);
  const top = scanner.next();
  if (top.kind !== 'map') return null;
  const fields = new Map<string, Uint8Array>();
  for (let i = 0; i < top.size; i++) {
    const key = scanner.next();
    if (key.kind !== 'text') throw new NotMsgpack('a key is no text');
    const name = Buffer.from(scanner.slice(key.start, scanner.at)).toString();
    const start = scanner.at;
    scanner.at = endOf(bytes, start);
    fields.set(name, scanner.slice(start, scanner.at));
  }
  return fields;
}

/** Bytes behind the codes 0xc0 to 0xdf: of a size that follows them, or of the scalar itself. */
const behind = [
  0, -1, 0, 0, 1, 2, 4, -1, -1, -1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, -1, -1, -1, -1, -1, 1, 2, 4, 2, 4,
  2, 4,
];

/** Where the value that begins at `from` ends. Nesting costs no stack. @throws NotMsgpack */
export function endOf(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let left = 1; left > 0; left--) {
    const code = bytes[at++] ?? outOfBytes();
    if (code < 0x80 || code >= 0xe0) continue;
    if (code < 0x90) left += 2 * (code & 0x0f);
    else if (code < 0xa0) left += code & 0x0f;
    else if (code < 0xc0) at += code & 0x1f;
    else {
      const width = behind[code - 0xc0] ?? -1;
      if (width < 0) throw new NotMsgpack(`byte 0x${code.toString(16)} has no meaning here`);
      at += width;
      if (code < 0xc4) continue;
      const size = code < 0xc7 || code >= 0xd9 ? numberBefore(bytes, at, width) : 0;
      if (code >= 0xde) left += 2 * size;
      else if (code >= 0xdc) left += size;
      else at += size;
    }
  }
  return at <= bytes.length ? at : outOfBytes();
}

/** The unsigned number in the `width` bytes that end at `end`. */
function numberBefore(bytes: Uint8Array, end: number, width: number): number {
  let value = 0;
  for (let at = end - width; at < end; at++) value = value * 0x100 + (bytes[at] ?? outOfBytes());
  return value;
}

function outOfBytes(): never {
  throw new NotMsgpack('the bytes end too early');
}
