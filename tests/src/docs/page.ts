import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const docs = resolve(import.meta.dirname, '../../../docs');

export interface Page {
  readonly text: string;
  /** Text of each file that the page shows, by its name. */
  readonly files: ReadonlyMap<string, string>;
  /** Each `vf …` line of its shell blocks, comments left out. */
  readonly commands: readonly string[];
  /** Exit code of each command whose comment says one: `# exit 5`. */
  readonly exits: ReadonlyMap<string, number>;
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
  const bare = (line: string): string => line.replace(/\s+#.*$/, '').trim();
  const exits = commands.flatMap((line) => {
    const [, code] = /#\s+exit (\d+)/.exec(line) ?? [];
    return code === undefined ? [] : [[bare(line), Number(code)] as const];
  });
  return { text, files, commands: commands.map(bare), exits: new Map(exits) };
}
