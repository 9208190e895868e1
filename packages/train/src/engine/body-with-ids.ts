import type { JsonObject } from '@vf/core/dialect';

/** JSON of an object with a list of ids that is written three digits at a time: prompts have ten thousands of them. */
export function bodyWithIds(key: string, ids: Int32Array, rest: JsonObject): Buffer {
  const opening = Buffer.from(`{${JSON.stringify(key)}:[`);
  const others = JSON.stringify(rest).slice(1);
  const ending = Buffer.from(others === '}' ? ']}' : `],${others}`);
  const most = opening.length + room * ids.length + ending.length;
  const bytes = most <= draft.length ? draft : Buffer.allocUnsafe(most);
  opening.copy(bytes);
  const end = writeIds(bytes, opening.length, ids);
  if (end === null) return Buffer.from(JSON.stringify({ [key]: Array.from(ids), ...rest }));
  const body = bytes.subarray(0, end + ending.copy(bytes, end));
  return bytes === draft ? Buffer.from(body) : body;
}

/** A body is written here and copied when its length is known, so that less is left to the collector. */
const draft = Buffer.allocUnsafeSlow(2 ** 19);

/** One more than the largest id that is written so; vocabularies end below. */
const limit = 1_000_000;

/** Bytes of an id with the comma behind it, at most, and those that the next id is written over. */
const room = 8;

const texts = Array.from({ length: 1000 }, (_, value) => String(value));
/** Thousands, of which 0 are not written. */
const thousandTexts = ['', ...texts.slice(1)];
/** What stands behind no thousands, then what stands behind some. */
const restTexts = [
  ...texts.map((text) => `${text},`),
  ...texts.map((text) => `${text.padStart(3, '0')},`),
];
const [thousandBytes, thousandLengths] = [bytesOf(thousandTexts), lengthsOf(thousandTexts)];
const [restBytes, restLengths] = [bytesOf(restTexts), lengthsOf(restTexts)];

function bytesOf(list: readonly string[]): Int32Array {
  return Int32Array.from(list, (text) => Buffer.from(text.padEnd(4)).readInt32BE());
}

function lengthsOf(list: readonly string[]): Uint8Array {
  return Uint8Array.from(list, (text) => text.length);
}

/** @returns where the last of them ends; null for an id that is not written so */
function writeIds(bytes: Buffer, from: number, ids: Int32Array): number | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = from;
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index] as number;
    if (id < 0 || id >= limit) return null;
    const thousands = (id / 1000) | 0;
    view.setInt32(at, thousandBytes[thousands] as number);
    at += thousandLengths[thousands] as number;
    // Without a branch, since nobody can foresee how long the next id is.
    const rest = id - thousands * 1000 + ((-thousands >> 31) & 1000);
    view.setInt32(at, restBytes[rest] as number);
    at += restLengths[rest] as number;
  }
  return ids.length === 0 ? at : at - 1;
}
