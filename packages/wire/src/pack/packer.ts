import { Bits, Packed } from './packed.ts';

const firstSize = 16 * 1024;
/** A buffer that grew beyond this is given up, so that one long trace does not stay in memory. */
const keptSize = 1024 * 1024;
/** Up to here a loop over the characters is faster than a call into the encoder. */
const shortText = 40;

/** Writes values as msgpack into one buffer, which it uses again; see `pack`. */
export class Packer {
  #bytes = Buffer.allocUnsafeSlow(firstSize);
  #at = 0;

  /** msgpack of a value, in a buffer of its own. Fields that are undefined are left out. */
  pack(value: unknown): Buffer {
    this.#at = 0;
    try {
      this.#value(value);
      return Buffer.from(this.#bytes.subarray(0, this.#at));
    } finally {
      if (this.#bytes.length > keptSize) this.#bytes = Buffer.allocUnsafeSlow(firstSize);
    }
  }

  #value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return this.#number(value);
      case 'boolean':
        return this.#byte(value ? 0xc3 : 0xc2);
      case 'object':
        return value === null ? this.#byte(0xc0) : this.#object(value);
      default:
        return this.#byte(0xc0);
    }
  }

  #object(value: object): void {
    if (Array.isArray(value)) return this.#list(value);
    if (value instanceof Packed) return this.#raw(value.bytes);
    if (value instanceof Float32Array) return this.#floats(value);
    if (value instanceof Int32Array) return this.#integers(value);
    if (value instanceof Bits) return this.#bits(value.bytes);
    if (value instanceof Uint8Array) return this.#blob(value);
    this.#map(value as Readonly<Record<string, unknown>>);
  }

  #map(fields: Readonly<Record<string, unknown>>): void {
    const keys = Object.keys(fields);
    let count = 0;
    for (const key of keys) if (fields[key] !== undefined) count++;
    this.#head(count, 0x80, 15, 0xde);
    for (const key of keys) {
      const value = fields[key];
      if (value === undefined) continue;
      this.#text(key);
      this.#value(value);
    }
  }

  #list(items: readonly unknown[]): void {
    this.#head(items.length, 0x90, 15, 0xdc);
    for (const item of items) this.#value(item);
  }

  /** As the 32 bits that they are: readers have every digit of them in 64. */
  #floats(values: Float32Array): void {
    this.#head(values.length, 0x90, 15, 0xdc);
    this.#reserve(5 * values.length);
    for (const value of values) {
      this.#bytes[this.#at] = 0xca;
      this.#bytes.writeFloatBE(value, this.#at + 1);
      this.#at += 5;
    }
  }

  #integers(values: Int32Array): void {
    this.#head(values.length, 0x90, 15, 0xdc);
    for (const value of values) this.#number(value);
  }

  #bits(bits: Uint8Array): void {
    this.#head(bits.length, 0x90, 15, 0xdc);
    this.#reserve(bits.length);
    for (const bit of bits) this.#bytes[this.#at++] = bit === 0 ? 0xc2 : 0xc3;
  }

  #blob(bytes: Uint8Array): void {
    const { length } = bytes;
    if (length < 0x100) this.#wide(0xc4, 1, length);
    else this.#long(0xc5, length);
    this.#raw(bytes);
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #text(text: string): void {
    if (text.length > shortText || !this.#ascii(text)) this.#utf8(text);
  }

  /** Writes a short text of ASCII. @returns false when it is none; nothing is written then */
  #ascii(text: string): boolean {
    const { length } = text;
    this.#reserve(length + 2);
    let at = this.#at;
    const bytes = this.#bytes;
    if (length < 32) bytes[at++] = 0xa0 | length;
    else {
      bytes[at++] = 0xd9;
      bytes[at++] = length;
    }
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return false;
      bytes[at++] = code;
    }
    this.#at = at;
    return true;
  }

  #utf8(text: string): void {
    const length = Buffer.byteLength(text);
    if (length < 32) this.#byte(0xa0 | length);
    else if (length < 0x100) this.#wide(0xd9, 1, length);
    else this.#long(0xda, length);
    this.#reserve(length);
    this.#at += this.#bytes.write(text, this.#at, length);
  }

  #number(value: number): void {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      this.#reserve(9);
      return this.#double(value);
    }
    if (value >= 0) return this.#whole(value);
    if (value >= -0x20) return this.#byte(value & 0xff);
    if (value >= -0x80) return this.#wide(0xd0, 1, value & 0xff);
    if (value >= -0x8000) return this.#wide(0xd1, 2, value & 0xffff);
    if (value >= -0x80000000) return this.#wide(0xd2, 4, value >>> 0);
    this.#reserve(9);
    this.#bytes[this.#at] = 0xd3;
    this.#bytes.writeBigInt64BE(BigInt(value), this.#at + 1);
    this.#at += 9;
  }

  #whole(value: number): void {
    if (value < 0x80) return this.#byte(value);
    if (value < 0x100) return this.#wide(0xcc, 1, value);
    if (value < 0x10000) return this.#wide(0xcd, 2, value);
    if (value < 0x100000000) return this.#wide(0xce, 4, value);
    this.#reserve(9);
    this.#bytes[this.#at] = 0xcf;
    this.#bytes.writeBigUInt64BE(BigInt(value), this.#at + 1);
    this.#at += 9;
  }

  /** Needs 9 bytes reserved. */
  #double(value: number): void {
    this.#bytes[this.#at] = 0xcb;
    this.#bytes.writeDoubleBE(value, this.#at + 1);
    this.#at += 9;
  }

  /** The head of a list or map; `short` is the code that holds sizes up to `most` itself. */
  #head(size: number, short: number, most: number, long: number): void {
    if (size <= most) this.#byte(short | size);
    else this.#long(long, size);
  }

  /** A code and a size of 2 bytes, or the next code and one of 4. */
  #long(code: number, size: number): void {
    if (size < 0x10000) this.#wide(code, 2, size);
    else this.#wide(code + 1, 4, size);
  }

  /** A code and a whole number of 1, 2 or 4 bytes. */
  #wide(code: number, width: 1 | 2 | 4, value: number): void {
    this.#reserve(1 + width);
    const bytes = this.#bytes;
    bytes[this.#at++] = code;
    for (let shift = 8 * (width - 1); shift >= 0; shift -= 8)
      bytes[this.#at++] = (value >>> shift) & 0xff;
  }

  #byte(code: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = code;
  }

  #reserve(count: number): void {
    const needed = this.#at + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
