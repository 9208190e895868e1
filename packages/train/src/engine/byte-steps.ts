/** Bytes that are compared at once. */
const step = 8;

/**
 * Are these the same bytes? As numbers of 64 bits, which ASCII is never NaN as; bytes that are NaN are told apart even
 * where they are the same.
 */
export function areEqual(
  a: DataView,
  at: number,
  b: DataView,
  from: number,
  length: number,
): boolean {
  if (length < step) {
    for (let index = 0; index < length; index++) {
      if (a.getUint8(at + index) !== b.getUint8(from + index)) return false;
    }
    return true;
  }
  const last = length - step;
  for (let index = 0; index < last; index += step) {
    if (a.getFloat64(at + index, true) !== b.getFloat64(from + index, true)) return false;
  }
  return a.getFloat64(at + last, true) === b.getFloat64(from + last, true);
}

/** What four bytes say as ASCII digits, the first in the lowest byte; −1 where they are none. */
export function fourDigits(bytes: number): number {
  const digits = bytes ^ 0x30303030;
  // A digit stays below 16 when 6 is added.
  if (((digits | (digits + 0x06060606)) & 0xf0f0f0f0) !== 0) return -1;
  const pairs = Math.imul(digits, 10) + (digits >> 8);
  return (pairs & 0xff) * 100 + ((pairs >> 16) & 0xff);
}
