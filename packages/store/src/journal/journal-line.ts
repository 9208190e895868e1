import type { Written } from '@vf/core/trace';

type JsonObject = Readonly<Record<string, unknown>>;

/** One line of a journal. `nodes` and `calls`: how many of them earlier lines hold. */
export interface JournalLine extends Written {
  readonly trace: string;
  readonly episode: string;
  readonly attempt: number;
  /** The trace as it stood; such a line needs no earlier one. */
  readonly record?: JsonObject;
  /** What came after the earlier lines. */
  readonly turns?: JsonObject;
}

/** null for a line that does not hold. */
export function parseJournalLine(text: string): JournalLine | null {
  try {
    const line = JSON.parse(text) as Partial<JournalLine> | null;
    return isJournalLine(line) ? line : null;
  } catch {
    return null;
  }
}

function isJournalLine(line: Partial<JournalLine> | null): line is JournalLine {
  return (
    typeof line?.trace === 'string' &&
    typeof line.episode === 'string' &&
    typeof line.attempt === 'number' &&
    typeof line.nodes === 'number' &&
    typeof line.calls === 'number' &&
    (typeof line.record === 'object' || typeof line.turns === 'object')
  );
}
