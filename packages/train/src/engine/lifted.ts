import { randomUUID } from 'node:crypto';
import { parseJson } from '@vf/core/dialect';

/** A list of an answer that is read as numbers: objects for thousands of tokens cost more than all else. */
export interface Lift<T> {
  /** The bytes up to its bracket. */
  readonly opening: Uint8Array;
  /** @returns what the list says and where it ends, behind its bracket; null where it is written in another way */
  read(bytes: Buffer, from: number): { readonly list: T; readonly end: number } | null;
  /** The list's place in the answer. */
  place(answer: unknown): unknown;
}

/** An answer as `JSON.parse` reads it; where `list` is not null, that is its list, and no other is in its place. */
export interface Lifted<T> {
  readonly answer: unknown;
  readonly list: T | null;
}

/** Stands in place of the list. Nobody else can write it, so that a list from another place is not taken for it. */
const mark = `lifted-${randomUUID()}`;
const written = Buffer.from(JSON.stringify(mark));
const utf8 = new TextDecoder();

export function lifted<T>(bytes: Buffer, { opening, read, place }: Lift<T>): Lifted<T> {
  const found = bytes.indexOf(opening);
  const bracket = found + opening.length - 1;
  const told = found < 0 ? null : read(bytes, bracket + 1);
  if (told !== null) {
    const rest = [bytes.subarray(0, bracket), written, bytes.subarray(told.end)];
    const answer = parseJson(utf8.decode(Buffer.concat(rest)));
    if (place(answer) === mark) return { answer, list: told.list };
  }
  return { answer: parseJson(utf8.decode(bytes)), list: null };
}
