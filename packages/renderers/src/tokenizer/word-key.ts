import type { TextBytes } from './text-bytes.ts';

/** Bytes that a key can hold. */
const most = 8;

/** By how many bytes of four count. */
const masks = Int32Array.of(0, 0xff, 0xffff, 0xff_ffff, -1);

/**
 * A word as two numbers: its bytes, where those are eight at most, so that equal keys of one length are equal words;
 * of a longer one a hash.
 */
export class WordKey {
  first = 0;
  second = 0;
  /** Where to look for it in a table. */
  place = 0;

  /** Does the key tell all of a word of this length? */
  static isWhole(length: number): boolean {
    return length <= most;
  }

  set({ view, bytes }: TextBytes, from: number, to: number): void {
    const length = to - from;
    if (length <= 4) {
      this.first = view.getInt32(from, true) & (masks[length] as number);
      this.second = 0;
    } else if (length <= most) {
      this.first = view.getInt32(from, true);
      this.second = view.getInt32(from + 4, true) & (masks[length - 4] as number);
    } else {
      this.first = hashOf(bytes, from, to);
      this.second = 0;
    }
    const mixed = Math.imul(this.first, 0x9e3779b1) ^ Math.imul(this.second + length, 0x85ebca77);
    this.place = mixed ^ (mixed >>> 15);
  }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash;
}
