import { open } from 'node:fs/promises';

/** What stands before the tensors of a GGUF file, by key. Arrays of numbers and of strings are arrays. */
export type GgufMetadata = ReadonlyMap<string, unknown>;

/** Metadata of small models, vocabulary and merges included, takes less. */
const most = 16 * 1024 * 1024;

/**
 * Reads a GGUF file's metadata (format version 2 and later, little-endian), as llama.cpp's gguf.h lays it out.
 * @throws when the file is no GGUF or its metadata is larger than 16 MiB
 */
export async function readGguf(path: string): Promise<GgufMetadata> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
  const reader = new GgufReader(buffer.subarray(0, bytesRead));
  if (reader.bytes(4).toString('latin1') !== 'GGUF') throw new Error(`${path} is no GGUF file`);
  reader.number(4);
  reader.number(10);
  const count = reader.number(10);
  return new Map(
    Array.from({ length: count }, () => {
      const key = reader.text();
      return [key, reader.value(reader.number(4))] as const;
    }),
  );
}

/** Value types by their number in the file: 8 is a string, 9 an array, 7 a boolean; 10 to 12 are 64 bits wide. */
const string = 8;
const array = 9;

class GgufReader {
  readonly #data: Buffer;
  #at = 0;

  constructor(data: Buffer) {
    this.#data = data;
  }

  bytes(length: number): Buffer {
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.#data.length) throw new RangeError('the metadata ends early');
    return this.#data.subarray(start, this.#at);
  }

  text(): string {
    return this.bytes(this.number(10)).toString('utf8');
  }

  value(type: number): unknown {
    if (type === string) return this.text();
    if (type !== array) return this.number(type);
    const items = this.number(4);
    const length = this.number(10);
    return Array.from({ length }, () => this.value(items));
  }

  number(type: number): number {
    switch (type) {
      case 0:
      case 7:
        return this.bytes(1).readUInt8();
      case 1:
        return this.bytes(1).readInt8();
      case 2:
        return this.bytes(2).readUInt16LE();
      case 3:
        return this.bytes(2).readInt16LE();
      case 4:
        return this.bytes(4).readUInt32LE();
      case 5:
        return this.bytes(4).readInt32LE();
      case 6:
        return this.bytes(4).readFloatLE();
      case 10:
        return Number(this.bytes(8).readBigUInt64LE());
      case 11:
        return Number(this.bytes(8).readBigInt64LE());
      case 12:
        return this.bytes(8).readDoubleLE();
      default:
        throw new Error(`GGUF value type ${type} is unknown`);
    }
  }
}
