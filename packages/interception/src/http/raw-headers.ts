/** Value of a header in raw pairs `[name, value, …]`; null when it is not there. */
export function headerOf(headers: readonly string[], lowerName: string): string | null {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    // Lengths tell most names apart without making a copy in lower case.
    if (name.length !== lowerName.length) continue;
    if (name === lowerName || name.toLowerCase() === lowerName) return headers[i + 1] ?? null;
  }
  return null;
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
