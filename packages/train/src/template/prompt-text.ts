import type { Tokenizer } from '@vf/renderers';

/** As llama-3 and gpt-oss print the day. */
const dates =
  /\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}\b|\b\d{4}-\d{2}-\d{2}\b/g;

/** Templates for training, and thoughts that are off, differ in them. */
const emptyThoughts = /<think>\s*<\/think>\s*/g;

/** The text of ids, control tokens by their names; one that the tokenizer has not by its number. */
export function textOf(ids: ArrayLike<number>, tokenizer: Tokenizer): string {
  return Buffer.concat(Array.from(ids, (id) => bytesOf(id, tokenizer))).toString();
}

/**
 * A prompt without what right set-ups differ in: what it opens with, which servers take away or double, the day, and
 * thoughts that are none.
 */
export function comparable(prompt: string, opening: string): string {
  let start = 0;
  if (opening !== '') while (prompt.startsWith(opening, start)) start += opening.length;
  return prompt.slice(start).replaceAll(dates, 'DATE').replaceAll(emptyThoughts, '');
}

/** The control token that a prompt begins with; empty when that is text. */
export function openingOf(ids: ArrayLike<number>, { controls }: Tokenizer): string {
  return [...controls].find(([, id]) => id === ids[0])?.[0] ?? '';
}

function bytesOf(id: number, tokenizer: Tokenizer): Uint8Array {
  const unknown = Buffer.from(`<token ${id}>`);
  try {
    return id < tokenizer.size ? tokenizer.bytes(id) : unknown;
  } catch (error) {
    // Vocabularies have holes.
    if (error instanceof RangeError) return unknown;
    throw error;
  }
}
