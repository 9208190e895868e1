/** A word that may stand at the cursor. */
export interface Candidate {
  readonly word: string;
  /** What it is, for shells that show it; may be empty. */
  readonly about: string;
}

export function candidates(words: Iterable<string>, about = ''): Candidate[] {
  return Array.from(words, (word) => ({ word, about }));
}
