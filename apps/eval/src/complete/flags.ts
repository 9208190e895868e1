import { parseRef } from '@vf/plugin-host';
import type { PluginHost } from '@vf/plugin-host';
import { commandFlags } from '../help/command-flags.ts';
import { candidates } from './candidate.ts';
import type { Candidate } from './candidate.ts';

/** Commands that take every key of the config as a flag. */
const takesConfig: ReadonlySet<string> = new Set([
  'eval',
  'resume',
  'rescore',
  'serve',
  'tasks',
  'validate',
]);

const tables = ['taskset', 'harness', 'runtime', 'environment'] as const;

/** Flags that may go on from `typed`, which begins with a dash. */
export async function flagCandidates(
  host: PluginHost,
  words: readonly string[],
  typed: string,
): Promise<Candidate[]> {
  const [command = ''] = words;
  const own = candidates(flagsIn(commandFlags[command] ?? ''));
  if (!takesConfig.has(command) || !typed.startsWith('--')) return own;
  const table = tables.find((name) => typed.startsWith(`--${name}.`));
  const options = table === undefined ? [] : await optionFlags(host, table, words);
  return [...own, ...(await keyFlags()), ...options];
}

/** The flags that a help text speaks of; those with a dot are examples of keys. */
function flagsIn(help: string): string[] {
  const named = help.match(/(?<![\w-])--[a-z][a-z.-]*[a-z]/g) ?? [];
  return [...new Set(named)].filter((flag) => !flag.includes('.'));
}

async function keyFlags(): Promise<Candidate[]> {
  const { configKeys } = await import('@vf/run/schema');
  return Array.from(configKeys(), ([key, about]) => ({
    word: `--${key.replaceAll('_', '-')}`,
    about,
  }));
}

/** Options of the plugin that the line names for a table. */
async function optionFlags(
  host: PluginHost,
  table: (typeof tables)[number],
  words: readonly string[],
): Promise<Candidate[]> {
  const ref = namedPlugin(table, words);
  if (ref === undefined) return [];
  const { optionRows } = await import('../plugins/options.ts');
  const { value } = await host.load(table, ref, new AbortController().signal);
  return optionRows(value).map(({ key, description }) => ({
    word: `--${table}.${key.replaceAll('_', '-')}`,
    about: description,
  }));
}

function namedPlugin(table: string, words: readonly string[]): string | undefined {
  const at = words.findLastIndex((word) => word === `--${table}` || word === `--${table}.id`);
  const named = at < 0 ? undefined : words[at + 1];
  if (named !== undefined) return parseRef(named).type === 'path' ? named : named.split('@')[0];
  return table === 'taskset' && !words[1]?.startsWith('-') ? words[1] : undefined;
}
