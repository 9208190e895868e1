import type { RuntimeApi } from '@vf/core';

/** What is read of a program's output: enough for the end of a log, little enough for every record. */
export const mostSaidBytes = 4096;

/** The end of a file that a program's output went to; empty when there is none. */
export async function endOf(
  runtime: RuntimeApi,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  const argv = ['tail', '-c', String(mostSaidBytes), path];
  return lastLines((await runtime.run(argv, { user: 0, signal })).stdout);
}

/** Without the line whose beginning was cut off. */
export function lastLines(text: string): string {
  const end = text.trimEnd();
  if (Buffer.byteLength(text) < mostSaidBytes) return end;
  const firstLine = end.indexOf('\n');
  return `…\n${end.slice(firstLine + 1)}`;
}
