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

/** Braces looked at: a reply with more that fit nothing is no verdict. */
const most = { closes: 50, opens: 1_000 };

/** An object ends at one of the last braces, and at most one of those before it can be its beginning. */
function lastObjectOf(text: string): Readonly<Record<string, unknown>> | undefined {
  const opens = placesOf(text, '{');
  for (const close of placesOf(text, '}').slice(-most.closes).toReversed()) {
    const before = opens.filter((open) => open < close).slice(-most.opens);
    for (const open of before.toReversed()) {
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
