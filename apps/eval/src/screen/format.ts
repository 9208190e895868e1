import { asName } from './one-line.ts';

/** `1,234` of a whole number. By hand: the first `toLocaleString` of a process takes 15 ms. */
export function formatCount(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1,234 tasks`, `1 task`. */
export function formatCounted(n: number, noun: string): string {
  return `${formatCount(n)} ${n === 1 ? noun : `${noun}s`}`;
}

/** `812 M`, `9.4 M`, `1.31 G`, `940`. */
export function formatBig(n: number): string {
  for (const [size, unit] of units) {
    if (n < size) continue;
    const scaled = n / size;
    const digits = scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
    return `${Number(scaled.toFixed(digits))} ${unit}`;
  }
  return String(n);
}

const units = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** `1 h 22 m`, `18 m 02 s`, `11.4 s`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${String(Math.floor(seconds % 60)).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`;
}

/** `0:41`, `12:05`, `1:00:07`. */
export function formatStopwatch(seconds: number): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const tail = two(whole % 60);
  return minutes < 60
    ? `${minutes}:${tail}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${tail}`;
}

/** Three decimals; null is `–`. */
export function formatScore(value: number | null): string {
  return value === null ? '–' : value.toFixed(3);
}

/** `$191.22`, `$0.0021`; null is `–`. */
export function formatCost(dollars: number | null): string {
  if (dollars === null) return '–';
  return `$${dollars.toFixed(dollars === 0 || dollars >= 0.1 ? 2 : 4)}`;
}

export function formatPercent(part: number, whole: number): string {
  if (whole === 0) return '0 %';
  const percent = (100 * part) / whole;
  return `${percent >= 10 || percent === 0 ? Math.round(percent) : percent.toFixed(1)} %`;
}

/** `2.1 GB`. */
export function formatBytes(bytes: number): string {
  for (const [size, unit] of [
    [1e9, 'GB'],
    [1e6, 'MB'],
    [1e3, 'kB'],
  ] as const)
    if (bytes >= size) return `${(bytes / size).toFixed(1)} ${unit}`;
  return `${bytes} B`;
}

/** `40 s`, `12 m`, `5 h`, `9 d`. */
export function formatAge(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.floor(seconds))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** A path as people type it: from the working directory when it lies below it. */
export function formatPath(path: string, cwd: string = process.cwd()): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

/** `   at sums.ts:25:113`, where the author's own code threw; empty when that is not known. */
export function placeText(at: string | null | undefined): string {
  return at === null || at === undefined ? '' : `   at ${asName(formatPath(at))}`;
}

/** A time that is not asked to the second: `40 s`, `51 m`, `1 h 22 m`. */
export function formatRoughly(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} m` : formatSeconds(seconds);
}
