/** How many checks passed, failed and were skipped. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The last line of every test run. */
export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Reads a line that {@link countsLine} made; `undefined` for any other line. */
export function parseCounts(line: string): Counts | undefined {
  const found = /^(\d+) passed, (\d+) failed, (\d+) skipped$/.exec(line);
  if (found === null) return undefined;
  const [passed, failed, skipped] = found.slice(1).map(Number);
  return { passed: passed ?? 0, failed: failed ?? 0, skipped: skipped ?? 0 };
}

/** Sum of two counts. */
export function addCounts(a: Counts, b: Counts): Counts {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  };
}
