import type { JsonObject } from '@vf/core/dialect';

/** JSON of an object with a list of ids that is written digit by digit: prompts have ten thousands of them. */
export function bodyWithIds(key: string, ids: Int32Array, rest: JsonObject): Buffer {
  const opening = Buffer.from(`{${JSON.stringify(key)}:`);
  const others = JSON.stringify(rest).slice(1);
  const ending = Buffer.from(others === '}' ? others : `,${others}`);
  const room = ids.length * (mostCharacters(ids) + 1);
  const bytes = Buffer.allocUnsafe(opening.length + room + 2 + ending.length);
  opening.copy(bytes);
  const end = writeIds(bytes, opening.length, ids);
  return bytes.subarray(0, end + ending.copy(bytes, end));
}

/** Of the longest id, its sign included. */
function mostCharacters(ids: Int32Array): number {
  let [least, most] = [0, 0];
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] as number;
    if (id > most) most = id;
    else if (id < least) least = id;
  }
  return Math.max(String(least).length, String(most).length);
}

/** @returns where the list ends */
function writeIds(bytes: Buffer, from: number, ids: Int32Array): number {
  let at = from;
  bytes[at++] = 91;
  for (let index = 0; index < ids.length; index++) {
    if (index > 0) bytes[at++] = 44;
    at = writeNumber(bytes, at, ids[index] as number);
  }
  bytes[at++] = 93;
  return at;
}

function writeNumber(bytes: Buffer, from: number, value: number): number {
  if (value < 0) return from + bytes.write(String(value), from, 'latin1');
  let end = from + 1;
  for (let above = 10; value >= above; above *= 10) end++;
  let left = value;
  for (let at = end - 1; at >= from; at--) {
    // As whole numbers, which is several times as fast.
    const tens = (left / 10) | 0;
    bytes[at] = 48 + left - tens * 10;
    left = tens;
  }
  return end;
}
