import type { ControlNames } from '../tokenizer/control-names.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** A stretch of a completion: one control token, or the text between two. */
export interface Piece {
  /** Name of the control token, null for text. */
  readonly control: string | null;
  readonly text: string;
  /** First token, and the one after the last. */
  readonly start: number;
  readonly end: number;
}

/** Splits the first `count` ids at their control tokens. Found by id, so text that merely spells one stays text. */
export function piecesOf(
  ids: ArrayLike<number>,
  count: number,
  tokenizer: Tokenizer,
  names: ControlNames,
): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const text = (end: number): void => {
    if (end === from) return;
    const said = utf8.decode(tokenizer.join(ids, from, end));
    pieces.push({ control: null, text: said, start: from, end });
  };
  for (let at = 0; at < count; at++) {
    const name = names.get(ids[at] as number);
    if (name === undefined) continue;
    text(at);
    pieces.push({ control: name, text: name, start: at, end: at + 1 });
    from = at + 1;
  }
  text(count);
  return pieces;
}

/** The text of pieces, control tokens by name. */
export function textOfPieces(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.text).join('');
}

/** The index of the first piece with this control token from `from` on, or −1. */
export function findControl(pieces: readonly Piece[], control: string, from = 0): number {
  return pieces.findIndex((piece, index) => index >= from && piece.control === control);
}
