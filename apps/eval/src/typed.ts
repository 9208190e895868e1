import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { defaultOutputDir } from './output-dir.ts';
import { asName } from './screen/one-line.ts';

/** A run's name, and the word that stands for it in commands to type: see `typedRun`. */
export interface NamedRun {
  readonly run: string;
  readonly typed: string;
}

/** A word as a shell takes it, in quotes where it needs them; on one line, whatever is in it. */
export function shellWord(word: string): string {
  if (asName(word) !== word) return `$'${Array.from(word, escapedInQuotes).join('')}'`;
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** As `$'…'` of bash and zsh takes it. */
function escapedInQuotes(char: string): string {
  if (char === '\n') return String.raw`\n`;
  if (char === '\t') return String.raw`\t`;
  if (char === "'" || char === '\\') return `\\${char}`;
  return asName(char) === char ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * How to name a run so that a command typed here finds it: its name or id when it lies where vf looks without being
 * told, else its path.
 * @param name of the run, or its id
 */
export function typedRun(dir: string, name: string): string {
  const folder = resolve(dir);
  const isNamed = isBelow(folder, defaultOutputDir()) && !isOther(name, folder);
  return shellWord(isNamed ? name : shortPath(folder));
}

/** A word that begins with a dash is a flag, and `last` always another word for the newest. */
function isOther(name: string, dir: string): boolean {
  if (name === 'last' || name.startsWith('-')) return true;
  const first = [resolve(name), join(defaultOutputDir(), name)].find((place) =>
    existsSync(join(place, 'plan.json')),
  );
  return first !== undefined && first !== dir;
}

/** Runs lie one or two folders deep. */
function isBelow(dir: string, folder: string): boolean {
  const [first, ...deeper] = relative(folder, dir).split(sep);
  return first !== '..' && first !== '' && !isAbsolute(first ?? '') && deeper.length < 2;
}

/** From the working directory, or from the root when that is shorter; never taken for a flag or for `last`. */
function shortPath(dir: string): string {
  const path = relative('', dir) || '.';
  if (path === 'last' || path.startsWith('-')) return `./${path}`;
  return path.length < dir.length ? path : dir;
}

/** The command that plays all of a run again, as another one. */
export function playAnew(dir: string): string {
  return `vf eval @ ${shellWord(join(shortPath(resolve(dir)), 'config.toml'))} --run NEW`;
}
