/** Python's `str.strip()` and JavaScript's `trim` differ in these: U+FEFF, and the control characters 28 to 31 and 133. */
const space =
  '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const both = new RegExp(`^${space}+|${space}+$`, 'g');

/** `str.strip()`. */
export function strip(text: string): string {
  return text.replace(both, '');
}

/** `str.strip('\n')`. */
export function stripLines(text: string): string {
  return text.replace(/^\n+|\n+$/g, '');
}

/** `str.lstrip('\n')`. */
export function stripLeadingLines(text: string): string {
  return text.replace(/^\n+/, '');
}

/** `str.rstrip('\n')`. */
export function stripTrailingLines(text: string): string {
  return text.replace(/\n+$/, '');
}

/** What `str.lstrip()` takes off. */
export const spaceInFront = new RegExp(`^${space}+`);

/** White space at the end, of Python or of JavaScript. */
export const spaceBehind = new RegExp(`(?:\\s|${space})+$`, 'u');

const end = new RegExp(`${space}+$`);

/** `str.rstrip()`. */
export function stripEnd(text: string): string {
  return text.replace(end, '');
}
