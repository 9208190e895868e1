import { crc32 } from 'node:zlib';

const key = ',"crc":"';
const digits = 8;
const tailLength = key.length + digits + 2;
const keyBytes = Buffer.from(key);
const quote = 0x22;
const brace = 0x7d;

/** Does the CRC-32 at the end of a line fit what stands before it? */
export type LineSum = 'holds' | 'differs' | 'missing';

/** Ends a JSON object's line with the CRC-32 of its bytes up to there. */
export function withSum(object: string): string {
  const summed = object.slice(0, -1);
  return `${summed}${key}${crc32(summed).toString(16).padStart(digits, '0')}"}`;
}

export function sumOf(line: Buffer): LineSum {
  const end = line.length - tailLength;
  if (end <= 0) return 'missing';
  for (let at = 0; at < key.length; at++) if (line[end + at] !== keyBytes[at]) return 'missing';
  if (line[line.length - 2] !== quote || line[line.length - 1] !== brace) return 'differs';
  return numberAt(line, end + key.length) === crc32(line.subarray(0, end)) ? 'holds' : 'differs';
}

/** The eight hex digits from `start` on; NaN when they are none of ours. Faster than text in between. */
function numberAt(line: Buffer, start: number): number {
  let value = 0;
  for (let at = start; at < start + digits; at++) {
    const byte = line[at] ?? 0;
    const isDigit = byte >= 0x30 && byte <= 0x39;
    if (!isDigit && !(byte >= 0x61 && byte <= 0x66)) return NaN;
    value = value * 16 + byte - (isDigit ? 0x30 : 0x57);
  }
  return value;
}
