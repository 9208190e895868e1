import type { ToolSpec } from '@vf/core';
import { jsonText } from '../python/json-text.ts';
import type { JsonValue } from '../python/json-value.ts';
import type { ParsedCall } from '../parsed.ts';
import { checkName } from './blocks.ts';
import type { Block } from './blocks.ts';
import { findControl, textOfPieces } from './pieces.ts';
import type { Piece } from './pieces.ts';
import { typedValue } from './tool-schema.ts';

/** The call of a block with `<arg_key>` and `<arg_value>` control tokens. */
export function readArgumentTags(
  { pieces, span, closed }: Block,
  tools: readonly ToolSpec[],
): ParsedCall {
  const raw = textOfPieces(pieces);
  const none = { raw, span, name: null, arguments: null };
  if (!closed) return { ...none, status: 'unclosed_block' };
  const first = findControl(pieces, '<arg_key>');
  const name = textOfPieces(pieces.slice(0, first < 0 ? pieces.length : first)).trim();
  const values = first < 0 ? new Map() : pairsOf(pieces.slice(first), name, tools);
  if (values === null) return { ...none, name, status: 'malformed_structure' };
  const call = { raw, span, name, arguments: jsonText(values), status: 'ok' as const };
  return name === '' ? { ...call, name: null, status: 'missing_name' } : checkName(call, tools);
}

function pairsOf(
  pieces: readonly Piece[],
  name: string,
  tools: readonly ToolSpec[],
): Map<string, JsonValue> | null {
  const values = new Map<string, JsonValue>();
  let at = 0;
  while (at < pieces.length) {
    const key = inside(pieces, at, '<arg_key>', '</arg_key>');
    const value = key === null ? null : inside(pieces, key.after, '<arg_value>', '</arg_value>');
    if (key === null || value === null) return null;
    values.set(key.text.trim(), typedValue(value.text, tools, name, key.text.trim()));
    at = skipSpace(pieces, value.after);
  }
  return values;
}

function inside(
  pieces: readonly Piece[],
  from: number,
  open: string,
  close: string,
): { readonly text: string; readonly after: number } | null {
  const start = skipSpace(pieces, from);
  if (pieces[start]?.control !== open) return null;
  const end = findControl(pieces, close, start);
  if (end < 0) return null;
  return { text: textOfPieces(pieces.slice(start + 1, end)), after: end + 1 };
}

function skipSpace(pieces: readonly Piece[], from: number): number {
  const piece = pieces[from];
  return piece !== undefined && piece.control === null && piece.text.trim() === ''
    ? from + 1
    : from;
}
