import type { ToolSpec } from '@vf/core';
import { checkName } from '../../parse/blocks.ts';
import { textOfPieces } from '../../parse/pieces.ts';
import type { Piece } from '../../parse/pieces.ts';
import type { Parsed, ParsedCall } from '../../parsed.ts';
import { parseJson } from '../../python/parse-json.ts';
import { kindOf } from './harmony-kind.ts';

/** One harmony message: what stands before `<|message|>`, and what after it. */
interface HarmonyMessage {
  readonly header: string;
  readonly body: string;
  readonly span: readonly [number, number];
}

/** Analysis is reasoning, a message to a function is a call, everything else is content. */
export function parseHarmony(pieces: readonly Piece[], tools: readonly ToolSpec[]): Parsed {
  const reasoning: string[] = [];
  const content: string[] = [];
  const calls: ParsedCall[] = [];
  for (const message of messagesOf(pieces)) {
    const kind = kindOf(message.header);
    if (kind.kind === 'call') calls.push(readCall(message, kind.name, tools));
    else if (kind.kind === 'analysis') reasoning.push(message.body);
    else content.push(message.body);
  }
  return {
    content: content.join('\n'),
    reasoning: reasoning.length === 0 ? null : reasoning.join('\n'),
    calls,
  };
}

function readCall(
  { body, span }: HarmonyMessage,
  name: string,
  tools: readonly ToolSpec[],
): ParsedCall {
  const call = { raw: body, span, name, arguments: body };
  if (parseJson(body) === undefined) {
    return { ...call, arguments: null, status: 'invalid_json' };
  }
  return name === ''
    ? { ...call, name: null, status: 'missing_name' }
    : checkName({ ...call, status: 'ok' }, tools);
}

/** The prompt ends in `<|start|>assistant`, so the first header starts in its middle. */
function messagesOf(pieces: readonly Piece[]): HarmonyMessage[] {
  const messages: HarmonyMessage[] = [];
  let header: Piece[] = [];
  let body: Piece[] | null = null;
  const finish = (): void => {
    const [first, last] = [header[0] ?? body?.[0], body?.at(-1) ?? header.at(-1)];
    if (body !== null && first !== undefined && last !== undefined) {
      messages.push({
        header: textOfPieces(header),
        body: textOfPieces(body),
        span: [first.start, last.end],
      });
    }
    header = [];
    body = null;
  };
  for (const piece of pieces) {
    if (piece.control === '<|end|>' || piece.control === '<|start|>') finish();
    else if (piece.control === '<|message|>' && body === null) body = [];
    else (body ?? header).push(piece);
  }
  finish();
  // Text without a channel is content that lost its header.
  if (messages.length === 0 && pieces.length > 0) {
    const text = textOfPieces(pieces.filter(({ control }) => control === null));
    return [{ header: '', body: text, span: [0, pieces.at(-1)?.end ?? 0] }];
  }
  return messages;
}
