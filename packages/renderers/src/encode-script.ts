import type { Rendered } from './rendered.ts';
import { parts } from './script.ts';
import type { Run } from './script.ts';
import type { Tokenizer } from './tokenizer/tokenizer.ts';
import type { ControlPattern } from './tokenizer/control-pattern.ts';

/** Growing columns of `Rendered`. */
interface Columns {
  readonly ids: number[];
  readonly messages: number[];
  readonly sampled: number[];
  readonly content: number[];
  readonly parts: number[];
}

/**
 * Encodes runs as the template's text would be: everything between two control tokens in one piece, since merges cross
 * the seams between runs. A token belongs to the run of its first byte.
 */
export function encodeScript(
  runs: readonly Run[],
  tokenizer: Tokenizer,
  pattern: ControlPattern,
  messageCount: number,
): Rendered {
  const columns: Columns = { ids: [], messages: [], sampled: [], content: [], parts: [] };
  let piece: Run[] = [];
  let spelledControls = 0;
  const flush = (): void => {
    if (piece.length > 0) encodePiece(piece, tokenizer, columns);
    piece = [];
  };
  for (const run of runs) {
    if (!run.frame) {
      spelledControls += pattern.count(run.text);
      piece.push(run);
      continue;
    }
    for (const part of pattern.split(run.text)) {
      if (typeof part === 'string') {
        piece.push({ ...run, text: part });
        continue;
      }
      flush();
      push(columns, part.id, run);
    }
  }
  flush();
  return {
    tokenIds: Int32Array.from(columns.ids),
    messageIndices: Int32Array.from(columns.messages),
    sampledMask: Uint8Array.from(columns.sampled),
    isContent: Uint8Array.from(columns.content),
    parts: Uint8Array.from(columns.parts),
    spans: spansOf(columns.messages, messageCount),
    spelledControls,
  };
}

function encodePiece(piece: readonly Run[], tokenizer: Tokenizer, columns: Columns): void {
  const first = piece[0] as Run;
  const text = piece.length === 1 ? first.text : piece.map((run) => run.text).join('');
  const ids = tokenizer.encode(text);
  let at = 0;
  let run = 0;
  let end = piece.length === 1 ? Infinity : bytesIn(first.text, tokenizer);
  for (let index = 0; index < ids.length; index++) {
    const id = ids[index] as number;
    while (at >= end && run < piece.length - 1) {
      run++;
      end += bytesIn((piece[run] as Run).text, tokenizer);
    }
    push(columns, id, piece[run] as Run);
    if (piece.length > 1) at += tokenizer.byteLength(id);
  }
}

function bytesIn(text: string, tokenizer: Tokenizer): number {
  return Buffer.byteLength(tokenizer.normalize === undefined ? text : tokenizer.normalize(text));
}

function push(columns: Columns, id: number, run: Run): void {
  columns.ids.push(id);
  columns.messages.push(run.message);
  columns.sampled.push(run.sampled ? 1 : 0);
  columns.content.push(run.sampled || run.part === 'content' ? 1 : 0);
  columns.parts.push(parts[run.part]);
}

function spansOf(messages: readonly number[], count: number): ([number, number] | null)[] {
  const spans: ([number, number] | null)[] = Array.from({ length: count }, () => null);
  for (let at = 0; at < messages.length; at++) {
    const message = messages[at] as number;
    if (message < 0) continue;
    const span = spans[message];
    if (span === null || span === undefined) spans[message] = [at, at + 1];
    else span[1] = at + 1;
  }
  return spans;
}
