import type { CallStatus } from '../parsed.ts';
import type { Block } from './blocks.ts';
import { findControl, textOfPieces } from './pieces.ts';

/** Marks of one call in a section of calls: `open HEAD separator BODY close`. */
export interface SectionMarks {
  readonly open: string;
  readonly close: string;
  readonly separator: string;
}

export interface SectionCall {
  readonly raw: string;
  readonly span: readonly [number, number];
  readonly head: string;
  readonly body: string | null;
  readonly status: CallStatus;
}

/** The calls of a section, each with its own span. */
export function readSectionCalls(
  { pieces, span }: Block,
  { open, close, separator }: SectionMarks,
): SectionCall[] {
  const calls: SectionCall[] = [];
  let at = findControl(pieces, open);
  if (at < 0) {
    const raw = textOfPieces(pieces);
    return [{ raw, span, head: '', body: null, status: 'malformed_structure' }];
  }
  while (at >= 0) {
    const next = findControl(pieces, open, at + 1);
    const until = next < 0 ? pieces.length : next;
    const closing = findControl(pieces, close, at);
    const closed = closing >= 0 && closing < until;
    const inner = pieces.slice(at + 1, closed ? closing : until);
    const middle = findControl(inner, separator);
    calls.push({
      raw: textOfPieces(inner),
      span: [pieces[at]?.start ?? span[0], (closed ? pieces[closing]?.end : undefined) ?? span[1]],
      head: textOfPieces(inner.slice(0, middle < 0 ? inner.length : middle)),
      body: middle < 0 ? null : textOfPieces(inner.slice(middle + 1)),
      status: statusOf(closed, middle),
    });
    at = next;
  }
  return calls;
}

function statusOf(closed: boolean, middle: number): CallStatus {
  if (!closed) return 'unclosed_block';
  return middle < 0 ? 'malformed_structure' : 'ok';
}
