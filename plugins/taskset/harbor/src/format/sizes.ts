const units: Readonly<Record<string, number>> = { G: 1024, M: 1, K: 1 / 1024 };

/** An old size such as `2G` or `512m` in MiB, rounded down; null when it is none (`2Gi`, `512MB`, `2048`). */
export function sizeInMb(text: string): number | null {
  const [, amount, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([GMK])\s*$/i.exec(text) ?? [];
  const factor = units[unit.toUpperCase()];
  return amount === undefined || factor === undefined ? null : Math.trunc(Number(amount) * factor);
}
