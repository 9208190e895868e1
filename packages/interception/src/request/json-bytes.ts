/** JSON text of a parsed value as bytes, however deep it is nested. */
export function jsonBytes(value: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return Buffer.from(writeDeep(value));
  }
}

/** A value to write, or text that is written already. */
type Piece = { readonly value: unknown } | string;

/** JSON.stringify on a stack of its own: the native one ends at some thousand levels. */
function writeDeep(value: unknown): string {
  const written: string[] = [];
  const waiting: Piece[] = [{ value }];
  for (let piece = waiting.pop(); piece !== undefined; piece = waiting.pop()) {
    if (typeof piece === 'string') written.push(piece);
    else for (const part of partsOf(piece.value).reverse()) waiting.push(part);
  }
  return written.join('');
}

function partsOf(value: unknown): Piece[] {
  if (typeof value !== 'object' || value === null) return [JSON.stringify(value)];
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown, index): Piece[] => [
      index === 0 ? '' : ',',
      { value: item },
    ]);
    return ['[', ...items, ']'];
  }
  const members = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .flatMap(([key, field], index): Piece[] => [
      `${index === 0 ? '' : ','}${JSON.stringify(key)}:`,
      { value: field },
    ]);
  return ['{', ...members, '}'];
}
