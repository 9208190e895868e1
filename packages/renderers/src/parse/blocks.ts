import type { ToolSpec } from '@vf/core';
import type { Parsed, ParsedCall } from '../parsed.ts';
import { findControl, textOfPieces } from './pieces.ts';
import type { Piece } from './pieces.ts';

/** How a family marks reasoning and calls. */
export interface Marks {
  readonly open: string;
  readonly close: string;
  /** The line ends that the template puts between content and the first call. */
  readonly gap: string;
  /** Calls of one block; `block` is what lies between the marks. */
  readonly read: (block: Block) => readonly ParsedCall[];
}

export interface Block {
  readonly pieces: readonly Piece[];
  /** In tokens, marks included. */
  readonly span: readonly [number, number];
  readonly closed: boolean;
}

/** Content and calls of pieces that hold no reasoning any more. */
export function parseBlocks(pieces: readonly Piece[], marks: Marks): Omit<Parsed, 'reasoning'> {
  const calls: ParsedCall[] = [];
  const texts: string[] = [];
  let at = 0;
  for (;;) {
    const open = findControl(pieces, marks.open, at);
    const text = textOfPieces(pieces.slice(at, open < 0 ? pieces.length : open));
    texts.push(open < 0 || calls.length > 0 ? text : withoutSuffix(text, marks.gap));
    if (open < 0) break;
    const close = findControl(pieces, marks.close, open);
    const end = close < 0 ? pieces.length : close;
    const last = pieces[close < 0 ? pieces.length - 1 : close] as Piece;
    calls.push(
      ...marks.read({
        pieces: pieces.slice(open + 1, end),
        span: [(pieces[open] as Piece).start, last.end],
        closed: close >= 0,
      }),
    );
    at = close < 0 ? pieces.length : close + 1;
  }
  return { content: contentOf(texts, calls.length > 0), calls };
}

/** White space alone beside calls is the template's. */
function contentOf(texts: readonly string[], hasCalls: boolean): string {
  if (!hasCalls) return texts.join('');
  return texts.map((text) => (text.trim() === '' ? '' : text)).join('');
}

function withoutSuffix(text: string, suffix: string): string {
  for (let length = suffix.length; length > 0; length--) {
    if (text.endsWith(suffix.slice(0, length))) return text.slice(0, -length);
  }
  return text;
}

/** The same call with `unknown_tool` when tools were offered and it is none of them. */
export function checkName(call: ParsedCall, tools: readonly ToolSpec[]): ParsedCall {
  if (call.status !== 'ok' || tools.length === 0) return call;
  return tools.some((tool) => tool.name === call.name) ? call : { ...call, status: 'unknown_tool' };
}
