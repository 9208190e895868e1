/** Python's `str.strip()` and JavaScript's `trim` differ in these: U+FEFF, and the control characters 28 to 31 and 133. */
const spaces =
  '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const both = new RegExp(`^[${spaces}]+|${atEnd(spaces)}`, 'g');

/** Looked for once in each run: from every place in it, a long run in the middle of a text would take its square. */
function atEnd(characters: string): string {
  return `(?<![${characters}])[${characters}]+$`;
}

/** `str.strip()`. */
export function strip(text: string): string {
  return text.replace(both, '');
}

/** `str.strip('\n')`. */
export function stripLines(text: string): string {
  return text.replace(/^\n+|(?<!\n)\n+$/g, '');
}

/** `str.lstrip('\n')`. */
export function stripLeadingLines(text: string): string {
  return text.replace(/^\n+/, '');
}

/** What `str.rstrip('\n')` takes off. */
export const linesBehind = new RegExp(atEnd('\\n'));

/** `str.rstrip('\n')`. */
export function stripTrailingLines(text: string): string {
  return text.replace(linesBehind, '');
}

/** What `str.lstrip()` takes off. */
export const spaceInFront = new RegExp(`^[${spaces}]+`);

/** White space at the end, of Python or of JavaScript. */
export const spaceBehind = new RegExp(atEnd(`\\s${spaces}`), 'u');

const end = new RegExp(atEnd(spaces));

/** `str.rstrip()`. */
export function stripEnd(text: string): string {
  return text.replace(end, '');
}
