/** What the model wants typed. */
export interface Command {
  readonly keystrokes: string;
  /** Seconds to wait, counted from the typing. */
  readonly duration: number;
}

/** A reply of the model as far as it could be read. */
export interface Answer {
  readonly commands: readonly Command[];
  readonly isComplete: boolean;
  /** What makes it unusable, for the model; null when it can be carried out. */
  readonly error: string | null;
  /** What is odd about it, for the model. */
  readonly warnings: readonly string[];
}

export const defaultDuration = 1;
/** However long the model asks to wait. */
export const maxDuration = 60;

export function failedAnswer(error: string, warnings: readonly string[] = []): Answer {
  return { commands: [], isComplete: false, error, warnings };
}

/** Whoever ends in the middle of a line gets the next command typed behind it. */
export function lineWarnings(commands: readonly Command[]): readonly string[] {
  return commands
    .slice(0, -1)
    .flatMap(({ keystrokes }, index) =>
      keystrokes.endsWith('\n') || isKey(keystrokes)
        ? []
        : [
            `Command ${index + 1} does not end in a newline, so the next one was typed on the same line.`,
          ],
    );
}

/** tmux takes a text that is the name of a key for that key. */
function isKey(keystrokes: string): boolean {
  return /^(?:[CMS]-\S+|[A-Z][A-Za-z]+|F\d+)$/.test(keystrokes);
}
