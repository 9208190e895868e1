import { cellsOf, graphemesOf, isPlain } from './cells.ts';

/** Text on one line, cut at `width`; control sequences are shown, not obeyed. */
export function oneLine(text: string, width: number): string {
  return cut(visible(text).replaceAll(/\s+/g, ' ').trim(), width);
}

/** At most `width` columns of a terminal, the last of them `…` when something is left out. */
export function cut(text: string, width: number): string {
  // Measuring costs by the length, and no more than this can come to be shown.
  const start = text.slice(0, width * 16);
  if (start.length === text.length && cellsOf(text) <= width) return text;
  if (isPlain(start)) return `${start.slice(0, Math.max(0, width - 1))}…`;
  let head = '';
  let cells = 0;
  for (const grapheme of graphemesOf(start)) {
    cells += cellsOf(grapheme);
    if (cells > width - 1) break;
    head += grapheme;
  }
  return `${head}…`;
}

/** C0, C1, line separators, and what turns the direction of text; not newline and tab. */
const controls = /(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;

/** A name as people made it up, on one line: newlines and tabs are shown too, so that two names never look alike. */
export function asName(text: string): string {
  return visible(text).replaceAll('\n', '␊').replaceAll('\t', '␉');
}

/** Control characters other than newline and tab as visible escapes. */
export function visible(text: string): string {
  return text.replaceAll(controls, (char) => {
    const code = char.charCodeAt(0);
    if (code === 0x1b) return '␛';
    return code === 0x0d ? '␍' : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
