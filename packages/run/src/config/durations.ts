const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of `90` (seconds), `"20m"`, `"1h 30m"`, `"500ms"`; null when it is no duration. */
export function parseDuration(value: string | number): number | null {
  if (typeof value === 'number')
    return value >= 0 && Number.isFinite(value * 1_000) ? value * 1_000 : null;
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return parseDuration(Number(text));
  if (!/^(\d+(\.\d+)?\s*(ms|s|m|h|d)\s*)+$/.test(text)) return null;
  const ms = [...text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (unitsMs[unit ?? ''] ?? 0),
    0,
  );
  return Number.isFinite(ms) ? ms : null;
}
