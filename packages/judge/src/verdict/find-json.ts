/**
 * The JSON object of a reply: the whole of it, else the one in its last fenced block, else the last whole one that
 * stands in its text. undefined where there is none.
 */
export function findJson(text: string): Readonly<Record<string, unknown>> | undefined {
  const fenced = [...text.matchAll(/```(?:json)?\s*\n(.*?)```/gs)].map(([, inner = '']) => inner);
  for (const candidate of [text, ...fenced.toReversed()]) {
    const value = objectIn(candidate);
    if (value !== undefined) return value;
  }
  return lastObjectOf(text);
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Replies beyond it are no verdict: looking for an end of each brace takes time by its square. */
const mostBraces = 200;

function lastObjectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const opens = placesOf(text, '{');
  const closes = placesOf(text, '}').toReversed();
  for (const close of closes.slice(0, mostBraces)) {
    // The outermost brace that gives an object: what it holds are parts of the verdict.
    for (const open of opens.slice(0, mostBraces)) {
      if (open >= close) break;
      const value = objectIn(text.slice(open, close + 1));
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function placesOf(text: string, brace: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(brace); at >= 0; at = text.indexOf(brace, at + 1)) places.push(at);
  return places;
}
