/** What a token belongs to within its message; the numbers stand in `Rendered.parts`. */
export const parts = { scaffold: 0, content: 1, reasoning: 2, call: 3 } as const;
export type Part = keyof typeof parts;

/** A stretch of a prompt with one attribution. */
export interface Run {
  readonly text: string;
  /** Template's own words, in which control tokens are recognised; else plain text. */
  readonly frame: boolean;
  /** Index of the message, −1 for none. */
  readonly message: number;
  readonly part: Part;
  readonly sampled: boolean;
}

/** Collects a prompt as runs of text; families write into it as their template prints. */
export class Script {
  readonly runs: Run[] = [];
  /** The message that what follows belongs to. */
  message = -1;
  /** Would the model itself have written what follows? */
  sampled = false;

  /** Words of the template. */
  frame(text: string): void {
    this.add(text, true, 'scaffold');
  }

  /** What a message says. */
  body(text: string, part: Part = 'content'): void {
    this.add(text, false, part);
  }

  /** Data of the caller that is no message: tool declarations, dates. */
  plain(text: string): void {
    this.add(text, false, 'scaffold');
  }

  private add(text: string, frame: boolean, part: Part): void {
    if (text === '') return;
    this.runs.push({ text, frame, message: this.message, part, sampled: this.sampled });
  }
}
