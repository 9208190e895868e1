import type { ToolSpec } from '@vf/core';
import { jsonText } from '../python/json-text.ts';
import type { JsonValue } from '../python/json-value.ts';
import type { ParsedCall } from '../parsed.ts';
import { checkName } from './blocks.ts';
import type { Block } from './blocks.ts';
import { textOfPieces } from './pieces.ts';
import { typedValue } from './tool-schema.ts';

/** How a family writes a function and its parameters as tags. */
export interface TagStyle {
  /** Opening of the function; its first group is the name. */
  readonly function: RegExp;
  readonly functionEnd: string;
  /** Opening of a parameter; its first group is the key. Sticky. */
  readonly parameter: RegExp;
  readonly parameterEnd: string;
}

/** `<function=NAME>`, `<parameter=KEY>` on lines of their own. */
export const equalsTags: TagStyle = {
  function: /\s*<function=([^>\n]*)>\n?/y,
  functionEnd: '</function>',
  parameter: /\s*<parameter=([^>\n]*)>\n?/y,
  parameterEnd: '\n</parameter>',
};

/** The call of a block whose function and parameters are tags in plain text. */
export function readTags(
  { pieces, span, closed }: Block,
  style: TagStyle,
  tools: readonly ToolSpec[],
): ParsedCall {
  return readTagText(textOfPieces(pieces), span, closed, style, tools);
}

/** The same for the text of one function. */
export function readTagText(
  raw: string,
  span: readonly [number, number],
  closed: boolean,
  style: TagStyle,
  tools: readonly ToolSpec[],
): ParsedCall {
  const none = { raw, span, name: null, arguments: null };
  if (!closed) return { ...none, status: 'unclosed_block' };
  const opening = matchAt(style.function, raw, 0);
  if (opening === null) return { ...none, status: 'malformed_structure' };
  const name = opening[1] ?? '';
  const values = parametersOf(raw, opening[0].length, style, (key, text) =>
    typedValue(text, tools, name, key),
  );
  if (values === null) return { ...none, name, status: 'malformed_structure' };
  const call = { raw, span, name, arguments: jsonText(values), status: 'ok' as const };
  return name === '' ? { ...call, name: null, status: 'missing_name' } : checkName(call, tools);
}

function parametersOf(
  raw: string,
  from: number,
  style: TagStyle,
  typed: (key: string, text: string) => JsonValue,
): Map<string, JsonValue> | null {
  const values = new Map<string, JsonValue>();
  let at = from;
  for (;;) {
    const opening = matchAt(style.parameter, raw, at);
    if (opening === null) break;
    const start = at + opening[0].length;
    const end = endOfValue(raw, start, style);
    if (end < 0) return null;
    const key = opening[1] ?? '';
    values.set(key, typed(key, raw.slice(start, end)));
    at = end + style.parameterEnd.length;
  }
  return raw.slice(at).trim() === style.functionEnd ? values : null;
}

/** A value may spell the end tag itself: the one counts that another tag follows. */
function endOfValue(raw: string, from: number, style: TagStyle): number {
  // An empty value's line end is the tag's own.
  let end = raw.indexOf(style.parameterEnd, Math.max(0, from - 1));
  while (end >= 0) {
    const after = end + style.parameterEnd.length;
    const rest = raw.slice(after).trimStart();
    if (rest.startsWith(style.functionEnd) || matchAt(style.parameter, raw, after) !== null) {
      return Math.max(end, from);
    }
    end = raw.indexOf(style.parameterEnd, after);
  }
  return -1;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
