import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { complete } from '../complete/complete.ts';
import { printText } from '../json/print.ts';
import { asName } from '../screen/one-line.ts';
import { pluginHost, vfDir } from '../plugin-host.ts';

const shells: ReadonlySet<string> = new Set(['bash', 'zsh', 'fish']);

/** `vf completion SHELL`; the scripts ask `vf completion words -- WORD…`. */
export async function run(argv: readonly string[]): Promise<number> {
  const [shell = '', ...rest] = argv;
  if (shell === 'words') return answer(rest[0] === '--' ? rest.slice(1) : rest);
  if (shells.has(shell))
    return printText(await readFile(join(vfDir, 'completions', `vf.${shell}`), 'utf8'));
  throw new VfError('usage/invalid', `no completion for the shell "${shell}"`, {
    hint: 'vf completion bash, zsh or fish',
  });
}

async function answer(words: readonly string[]): Promise<number> {
  const outputDir = process.env['VF_OUTPUT_DIR'] || 'outputs';
  const all = await complete(pluginHost(process.cwd()), words, outputDir);
  // A word that takes more than a line cannot be offered on one.
  const found = all.filter(({ word }) => asName(word) === word);
  if (found.length === 0) return 0;
  return printText(found.map(({ word, about }) => `${word}\t${asName(about)}`).join('\n'));
}
