import type { TextBytes } from './text-bytes.ts';

/** Hears of a word, as UTF-8 from `from` up to `to`; the bytes are others afterwards. */
export type TakeWord = (text: TextBytes, from: number, to: number) => void;

/** Tells the words of a text in order, as they are before they are written in the alphabet of byte-level BPE. */
export type Split = (text: string, take: TakeWord) => void;
