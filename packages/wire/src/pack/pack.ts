import { Packer } from './packer.ts';

const packer = new Packer();

/**
 * msgpack of a value of JSON. Fields that are undefined are left out; `Int32Array`, `Float32Array` and `Bits` are lists,
 * `Uint8Array` is bytes, and `Packed` is taken as it is.
 */
export function pack(value: unknown): Buffer {
  return packer.pack(value);
}
