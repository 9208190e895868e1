import type { TurnTokens } from '../contract/turn-tokens.ts';
import type { NodeTokens, TraceNode } from './node.ts';
import { expertsOf, rowCount } from './routed-experts.ts';
import { fittingMask } from './sampling-mask.ts';
import { spaceProblem } from './token-space.ts';

/** How far a prompt begins with the tokens of a path: that many of its nodes, which hold that many ids. */
export interface CommonPath {
  readonly nodes: number;
  readonly ids: number;
}

/** @param path nodes from the root on */
export function commonPath(path: readonly TraceNode[], promptIds: Int32Array): CommonPath {
  let ids = 0;
  for (const [index, { tokens }] of path.entries()) {
    if (!standsAt(tokens, promptIds, ids)) return { nodes: index, ids };
    ids += lengthOf(tokens);
  }
  return { nodes: path.length, ids };
}

/** Do the tokens stand in `ids` from `start` on? None stand anywhere. */
export function standsAt(tokens: NodeTokens | undefined, ids: Int32Array, start: number): boolean {
  if (tokens === undefined) return true;
  const own = tokens.ids;
  if (start + own.length > ids.length) return false;
  // A loop: every turn compares the whole conversation, and a call for each of its ids costs ten times as much.
  for (let at = 0; at < own.length; at++) if (own[at] !== ids[start + at]) return false;
  return true;
}

export function lengthOf(tokens: NodeTokens | undefined): number {
  return tokens?.ids.length ?? 0;
}

/**
 * Where the slice of prompt message `index` ends when it begins at `start`: behind the last token that is its own.
 * null: no token is known to be. What stands before a message (role header, separators) belongs to its slice.
 */
export function endOfSlice({ spans, promptIds }: TurnTokens, index: number, start: number) {
  const span = spans[index] ?? null;
  return span === null ? null : Math.min(Math.max(start, span[1]), promptIds.length);
}

/** How far the slice of a message without tokens of its own may reach: to the next message that has some. */
export function limitOfSlice({ spans, promptIds }: TurnTokens, index: number): number {
  for (const span of spans.slice(index + 1)) if (span !== null) return span[0];
  return promptIds.length;
}

/** The tokens of a prompt message. */
export function promptSlice(
  turn: TurnTokens,
  start: number,
  end: number,
): { readonly tokens?: NodeTokens } {
  if (end <= start) return {};
  return {
    tokens: {
      ids: turn.promptIds.slice(start, end),
      mask: new Uint8Array(end - start),
      isContent: contentOf(turn)?.slice(start, end) ?? null,
      logprobs: new Float32Array(),
      ...expertsOf(turn, start, end),
    },
  };
}

/** The tokens of the reply: the prompt's ids from `start` on (its header), then everything sampled. */
export function replySlice(turn: TurnTokens, start: number): { readonly tokens?: NodeTokens } {
  const header = turn.promptIds.subarray(start);
  const sampled = turn.completionIds;
  const length = header.length + sampled.length;
  if (length === 0) return {};
  const ids = new Int32Array(length);
  ids.set(header);
  ids.set(sampled, header.length);
  const mask = new Uint8Array(length).fill(1, header.length);
  const content = contentOf(turn);
  const isContent = content === null ? null : mask.slice();
  isContent?.set(content?.subarray(start) ?? []);
  return {
    tokens: {
      ids,
      mask,
      isContent,
      logprobs: turn.logprobs.slice(),
      ...expertsOf(turn, start, start + length),
      ...fittingMask(turn),
    },
  };
}

/** Marks of the wrong length say nothing about any token. */
function contentOf({ isContent, promptIds }: TurnTokens): Uint8Array | null {
  return isContent?.length === promptIds.length ? isContent : null;
}

/** @throws RangeError when a turn's tokens cannot be those of one call */
export function checkTurn(turn: TurnTokens): void {
  const { completionIds, logprobs, routedExperts } = turn;
  const problem = spaceProblem(turn);
  if (problem !== null) throw new RangeError(problem);
  if (logprobs.length !== 0 && logprobs.length !== completionIds.length) {
    throw new RangeError(`${logprobs.length} logprobs for ${completionIds.length} sampled tokens`);
  }
  for (let at = 0; at < logprobs.length; at++) {
    const value = logprobs[at] as number;
    if (value <= 0 && value > Number.NEGATIVE_INFINITY) continue;
    throw new RangeError('a logprob is not finite and at most 0');
  }
  if (routedExperts !== undefined && !Number.isInteger(rowCount(routedExperts))) {
    throw new RangeError('routed experts are not whole rows');
  }
}
