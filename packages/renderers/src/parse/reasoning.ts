import { findControl, textOfPieces } from './pieces.ts';
import type { Piece } from './pieces.ts';

export interface ThinkMarks {
  readonly open: string;
  readonly close: string;
  /** Did the prompt open the reasoning already? `perhaps`: then a close mark alone ends it. */
  readonly opened: 'yes' | 'no' | 'perhaps';
}

/**
 * The marks of a reply whose prompt is known. One that closed the reasoning, or never opened it, does not forbid the
 * model to think; that ends with a close mark.
 * @param opens does the prompt end within reasoning? null: not known
 */
export function marksBehind(marks: ThinkMarks, opens: boolean | null): ThinkMarks {
  if (opens === null || (!opens && marks.opened === 'no')) return marks;
  return { ...marks, opened: opens ? 'yes' : 'perhaps' };
}

export const think = { open: '<think>', close: '</think>' } as const;

/** Parts reasoning from what follows it. Reasoning that was cut is all reasoning. */
export function splitReasoning(
  pieces: readonly Piece[],
  marks: ThinkMarks,
): { readonly reasoning: string | null; readonly rest: readonly Piece[] } {
  const first = pieces.findIndex((piece) => piece.control !== null || piece.text.trim() !== '');
  const starts = first >= 0 && pieces[first]?.control === marks.open;
  const close = findControl(pieces, marks.close);
  const isOpen = starts || marks.opened === 'yes' || (close >= 0 && marks.opened === 'perhaps');
  if (!isOpen) return { reasoning: null, rest: pieces };
  const inside = pieces.slice(starts ? first + 1 : 0, close < 0 ? pieces.length : close);
  const reasoning = trimLines(textOfPieces(inside));
  return {
    reasoning: reasoning === '' ? null : reasoning,
    rest: close < 0 ? [] : withoutLeadingLines(pieces.slice(close + 1)),
  };
}

function trimLines(text: string): string {
  return text.replace(/^\n+/, '').replace(/(?<!\n)\n+$/, '');
}

/** Templates put line ends behind reasoning, and take them off again when they print the message. */
function withoutLeadingLines(pieces: readonly Piece[]): readonly Piece[] {
  const [first, ...rest] = pieces;
  if (first === undefined || first.control !== null) return pieces;
  const text = first.text.replace(/^\n+/, '');
  return text === '' ? rest : [{ ...first, text }, ...rest];
}
