import type { RoutedExperts, TurnTokens } from '../contract/turn-tokens.ts';

/** How many tokens the rows are of. */
export function rowCount({ rows, layers, topK }: RoutedExperts): number {
  return layers * topK > 0 ? rows.length / (layers * topK) : Number.NaN;
}

/**
 * The experts of the turn's tokens `[start, end)`. The engine runs no forward pass behind the last token that it
 * sampled, so its row, when it alone is missing, repeats the one before. Nothing where other rows are missing.
 */
export function expertsOf(
  turn: TurnTokens,
  start: number,
  end: number,
): { readonly routedExperts?: RoutedExperts } {
  const { routedExperts: given } = turn;
  if (given === undefined || start < given.start) return {};
  const { layers, topK } = given;
  const width = layers * topK;
  const count = rowCount(given);
  const [from, to] = [start - given.start, end - given.start];
  const told = given.rows.slice(from * width, to * width);
  if (to <= count) return { routedExperts: { rows: told, layers, topK } };
  const isLast = end === turn.promptIds.length + turn.completionIds.length;
  if (!isLast || to !== count + 1 || count === 0) return {};
  return { routedExperts: { rows: joined(told, given.rows.slice(-width)), layers, topK } };
}

/**
 * A recorded reply's experts with the last row as a later turn's prefill computed it; null when the turn says nothing
 * else of it.
 * @param end where the reply's tokens end in the turn's prompt
 */
export function repairedExperts(
  recorded: RoutedExperts,
  { routedExperts: given }: TurnTokens,
  end: number,
): RoutedExperts | null {
  const { layers, topK } = recorded;
  const isAlike = given?.layers === layers && given.topK === topK;
  if (given === undefined || !isAlike) return null;
  const width = layers * topK;
  const at = (end - 1 - given.start) * width;
  if (at < 0 || at + width > given.rows.length || recorded.rows.length < width) return null;
  const row = given.rows.slice(at, at + width);
  const old = recorded.rows.slice(-width);
  if (row.every((expert, index) => expert === old[index])) return null;
  return { rows: joined(recorded.rows.slice(0, -width), row), layers, topK };
}

/** The experts of nodes one after another; null where one has none. */
export function joinedExperts(parts: readonly (RoutedExperts | undefined)[]): RoutedExperts | null {
  const [first] = parts;
  if (first === undefined) return null;
  const { layers, topK } = first;
  const rows: RoutedExperts['rows'][] = [];
  for (const part of parts) {
    if (part?.layers !== layers || part.topK !== topK) return null;
    rows.push(part.rows);
  }
  return { rows: joined(...rows), layers, topK };
}

/** As wide as the widest of them. */
function joined(...parts: readonly RoutedExperts['rows'][]): RoutedExperts['rows'] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const isWide = parts.some((part) => part instanceof Uint16Array);
  const all = isWide ? new Uint16Array(length) : new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
