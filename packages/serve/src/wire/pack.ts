import { Encoder } from '@msgpack/msgpack';

const encoder = new Encoder({ ignoreUndefined: true });

/** A value that is msgpack already, to be written as it is. */
export class Packed {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** msgpack of a value; values of JSON alone. */
export function pack(value: unknown): Uint8Array {
  return encoder.encode(value);
}

/** msgpack of an object whose fields may be packed already; undefined ones are left out. */
export function packMap(fields: Readonly<Record<string, unknown>>): Uint8Array {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const parts = entries.flatMap(([key, value]) => [
    pack(key),
    value instanceof Packed ? value.bytes : pack(value),
  ]);
  return Buffer.concat([mapHead(entries.length), ...parts]);
}

/** @param size at most 65535 */
function mapHead(size: number): Uint8Array {
  if (size < 16) return Uint8Array.of(0x80 | size);
  return Uint8Array.of(0xde, size >> 8, size & 0xff);
}
