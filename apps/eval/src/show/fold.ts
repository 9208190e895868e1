import { formatBytes, formatCount } from '../screen/format.ts';
import { visible } from '../screen/one-line.ts';

const shownLines = 12;
const shownCharacters = 1_600;

/** The lines of a text, control sequences shown; a long one ends in `… 214 lines, 9 kB (--full)`. */
export function fold(text: string, isFull: boolean): string[] {
  const lines = visible(text.replace(/\n+$/, '')).split('\n');
  if (isFull || isShort(lines)) return lines;
  const head = headOf(lines);
  const rest = lines.slice(head.length).join('\n');
  const cutOff = (lines[head.length - 1] ?? '').slice((head.at(-1) ?? '').length);
  const bytes = Buffer.byteLength(rest) + Buffer.byteLength(cutOff);
  const count = lines.length - head.length;
  const what = count === 0 ? '' : `${formatCount(count)} ${count === 1 ? 'line' : 'lines'}, `;
  return [...head, `… ${what}${formatBytes(bytes)} (--full)`];
}

/** A fold that hides next to nothing is a nuisance. */
function isShort(lines: readonly string[]): boolean {
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  return lines.length <= shownLines + 3 && characters <= shownCharacters + 200;
}

function headOf(lines: readonly string[]): string[] {
  const head: string[] = [];
  let left = shownCharacters;
  for (const line of lines) {
    if (head.length === shownLines || left <= 0) break;
    head.push(line.slice(0, left));
    left -= line.length;
  }
  return head;
}
