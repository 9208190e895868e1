import { withColumns } from './lazy-columns.ts';
import type { Rendered } from './rendered.ts';
import { parts } from './script.ts';
import type { Run } from './script.ts';
import type { Tokenizer } from './tokenizer/tokenizer.ts';
import type { ControlPattern } from './tokenizer/control-pattern.ts';

/** Tokens in a row that belong to one run. */
interface Stretch {
  readonly ids: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
  readonly run: Run;
}

/**
 * Encodes runs as the template's text would be: everything between two control tokens in one piece, since merges cross
 * the seams between runs. A token belongs to the run of its first byte; where a tokenizer has no token for some byte, what
 * follows it up to the next control token is counted from one byte too early.
 */
export function encodeScript(
  runs: readonly Run[],
  tokenizer: Tokenizer,
  pattern: ControlPattern,
  messageCount: number,
): Rendered {
  const stretches: Stretch[] = [];
  let piece: Run[] = [];
  const spelledControls: number[] = [];
  const flush = (): void => {
    for (const stretch of encodePiece(piece, tokenizer)) stretches.push(stretch);
    piece = [];
  };
  for (const run of runs) {
    if (!run.frame) {
      for (let left = pattern.count(run.text); left > 0; left--) spelledControls.push(run.message);
      piece.push(run);
      continue;
    }
    for (const part of pattern.split(run.text)) {
      if (typeof part === 'string') {
        piece.push({ ...run, text: part });
        continue;
      }
      flush();
      stretches.push({ ids: [part.id], from: 0, to: 1, run });
    }
  }
  flush();
  const spans = spansOf(stretches, messageCount);
  return renderedFrom(stretches, { spans, spelledControls });
}

function encodePiece(piece: readonly Run[], tokenizer: Tokenizer): readonly Stretch[] {
  const [first, ...others] = piece;
  if (first === undefined) return [];
  const text = piece.map((run) => run.text).join('');
  const ids = tokenizer.encode(text);
  const stretches: Stretch[] = [];
  let run = first;
  let from = 0;
  let end = others.length === 0 ? Infinity : bytesIn(run.text, tokenizer);
  for (let index = 0, at = 0; others.length > 0 && index < ids.length; index++) {
    while (at >= end && others.length > 0) {
      if (index > from) stretches.push({ ids, from, to: index, run });
      from = index;
      run = others.shift() ?? run;
      end += bytesIn(run.text, tokenizer);
    }
    at += tokenizer.byteLength(ids[index] as number);
  }
  if (ids.length > from) stretches.push({ ids, from, to: ids.length, run });
  return stretches;
}

/** Most callers ask for one or two of the columns, so each is made when it is asked for. */
function renderedFrom(
  stretches: readonly Stretch[],
  rest: Pick<Rendered, 'spans' | 'spelledControls'>,
): Rendered {
  const tokenIds = idsOf(stretches);
  const { length } = tokenIds;
  const bits = (isSet: (run: Run) => boolean) => (): Uint8Array =>
    filled(new Uint8Array(length), stretches, (run) => (isSet(run) ? 1 : 0));
  return withColumns(
    { tokenIds, ...rest },
    {
      messageIndices: () => filled(new Int32Array(length), stretches, (run) => run.message),
      sampledMask: bits((run) => run.sampled),
      isContent: bits((run) => run.sampled || run.part === 'content'),
      parts: () => filled(new Uint8Array(length), stretches, (run) => parts[run.part]),
    },
  );
}

function idsOf(stretches: readonly Stretch[]): Int32Array {
  const all = new Int32Array(stretches.reduce((sum, { from, to }) => sum + to - from, 0));
  let at = 0;
  for (const { ids, from, to } of stretches) {
    for (let index = from; index < to; index++) all[at++] = ids[index] as number;
  }
  return all;
}

function filled<T extends Int32Array | Uint8Array>(
  column: T,
  stretches: readonly Stretch[],
  valueOf: (run: Run) => number,
): T {
  let at = 0;
  for (const { from, to, run } of stretches) {
    const end = at + to - from;
    column.fill(valueOf(run), at, end);
    at = end;
  }
  return column;
}

function bytesIn(text: string, tokenizer: Tokenizer): number {
  return Buffer.byteLength(tokenizer.normalize === undefined ? text : tokenizer.normalize(text));
}

function spansOf(stretches: readonly Stretch[], count: number): ([number, number] | null)[] {
  const spans: ([number, number] | null)[] = Array.from({ length: count }, () => null);
  let at = 0;
  for (const { from, to, run } of stretches) {
    const end = at + to - from;
    const span = spans[run.message];
    if (span === null) spans[run.message] = [at, end];
    else if (span !== undefined) span[1] = end;
    at = end;
  }
  return spans;
}
