import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const docs = resolve(import.meta.dirname, '../../../docs');

export interface Page {
  /** Text of each file that the page shows, by its name. */
  readonly files: ReadonlyMap<string, string>;
  /** Each `vf …` line of its shell blocks, comments left out. */
  readonly commands: readonly string[];
}

/** The code of a page of docs: files in blocks marked `file=NAME`, commands in `sh` blocks. */
export function readPage(name: string): Page {
  const text = readFileSync(join(docs, name), 'utf8');
  const files = new Map<string, string>();
  const commands: string[] = [];
  for (const [, language = '', file, code = ''] of text.matchAll(
    /^```(\w+)(?: file=(\S+))?\n(.*?)^```/gms,
  )) {
    if (file !== undefined) files.set(file, code);
    if (language === 'sh')
      commands.push(...code.split('\n').filter((line) => line.startsWith('vf ')));
  }
  return { files, commands: commands.map((line) => line.replace(/\s+#.*$/, '').trim()) };
}
