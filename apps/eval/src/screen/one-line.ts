/** Text on one line, cut at `width`; control sequences are shown, not obeyed. */
export function oneLine(text: string, width: number): string {
  return cut(visible(text).replaceAll(/\s+/g, ' ').trim(), width);
}

/** At most `width` characters, the last of them `…` when some are left out. */
export function cut(text: string, width: number): string {
  if (text.length <= width) return text;
  const head = text.slice(0, Math.max(0, width - 1));
  // Half of a surrogate pair would be shown as a question mark.
  return `${/[\uD800-\uDBFF]$/.test(head) ? head.slice(0, -1) : head}…`;
}

/** C0, C1, line separators, and what turns the direction of text; not newline and tab. */
const controls = /(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** Control characters other than newline and tab as visible escapes. */
export function visible(text: string): string {
  return text.replaceAll(controls, (char) => {
    const code = char.charCodeAt(0);
    if (code === 0x1b) return '␛';
    return code === 0x0d ? '␍' : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
