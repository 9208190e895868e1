/** Value of a header in raw pairs `[name, value, …]`; null when it is not there. */
export function headerOf(headers: readonly string[], lowerName: string): string | null {
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (isNamed(headers[i] ?? '', lowerName)) return headers[i + 1] ?? null;
  return null;
}

/** Lengths tell most names apart without making a copy in lower case. */
function isNamed(name: string, lowerName: string): boolean {
  if (name.length !== lowerName.length) return false;
  return name === lowerName || name.toLowerCase() === lowerName;
}

/** Raw pairs without those of one name. */
export function withoutHeader(headers: readonly string[], name: string): string[] {
  const lowerName = name.toLowerCase();
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const other = headers[i] ?? '';
    if (!isNamed(other, lowerName)) kept.push(other, headers[i + 1] ?? '');
  }
  return kept;
}

/** Raw pairs without those of some names. */
export function withoutHeaders(
  headers: readonly string[],
  lowerNames: ReadonlySet<string>,
): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (!lowerNames.has(name.toLowerCase())) kept.push(name, headers[i + 1] ?? '');
  }
  return kept;
}
