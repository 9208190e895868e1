import { stripVTControlCharacters } from 'node:util';
import { cut, visible } from './one-line.ts';

const widest = 300;

/**
 * An error's message as lines to show, `most` at most: the first says what failed, the last ones decide why, and what is
 * left out between them is counted. Colours of the program that said it are dropped; other control characters are shown.
 */
export function messageLines(message: string, most: number): [first: string, ...rest: string[]] {
  const said = stripVTControlCharacters(message).replaceAll('\r\n', '\n').split('\n');
  const [first = '', ...rest] = said.filter((line) => line.trim() !== '').map(visible);
  const kept = rest.length < most ? rest : rest.slice(-Math.max(1, most - 2));
  const left = rest.length - kept.length;
  const shown = kept.map((line) => cut(line.trimEnd(), widest));
  return [cut(first, 4 * widest), ...(left === 0 ? [] : [`… ${left} more lines`]), ...shown];
}

/** The lines behind the first one, set off from what stands around them. */
export function quoted(lines: readonly string[], indent: string): string[] {
  return lines.map((line) => `${indent}| ${line.replace(/^ *\| /, '')}`);
}
