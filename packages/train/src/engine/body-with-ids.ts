import type { JsonObject } from '@vf/core/dialect';

/** JSON of an object with a list of ids that are copied as text: prompts have ten thousands of them. */
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

/** One more than the largest id that is copied; vocabularies end below. */
const limit = 2 ** 18;

/** Bytes of an id with the comma behind it, at most; so many are written at once, the next id over what is too many. */
const room = 8;

interface IdTexts {
  /** Two numbers an id, with the bytes of its text. */
  readonly bytes: Int32Array;
  /** With the comma. */
  readonly lengths: Uint8Array;
}

let made: IdTexts | null = null;

/** @returns where the last of them ends; null for an id that is not copied */
function writeIds(bytes: Buffer, from: number, ids: Int32Array): number | null {
  const texts = (made ??= makeTexts());
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = from;
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index] as number;
    if (id < 0 || id >= limit) return null;
    view.setInt32(at, texts.bytes[2 * id] as number);
    view.setInt32(at + 4, texts.bytes[2 * id + 1] as number);
    at += texts.lengths[id] as number;
  }
  return ids.length === 0 ? at : at - 1;
}

function makeTexts(): IdTexts {
  const text = Buffer.alloc(room * limit);
  const lengths = new Uint8Array(limit);
  for (let id = 0; id < limit; id++) lengths[id] = text.write(`${id},`, room * id, 'latin1');
  const bytes = new Int32Array(2 * limit);
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.readInt32BE(4 * at);
  return { bytes, lengths };
}
