import type { PluginHost } from '@vf/plugin-host';
import { commands } from '../commands.ts';
import { includable } from '../includable.ts';
import { candidates } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import { flagCandidates } from './flags.ts';

/**
 * What may stand at the cursor. None leaves it to the shell, which offers files.
 * @param words those behind `vf`, the one at the cursor last; it may be empty
 * @param outputDir where runs are
 */
export async function complete(
  host: PluginHost,
  words: readonly string[],
  outputDir: string,
): Promise<Candidate[]> {
  const before = words.slice(0, -1);
  const typed = words.at(-1) ?? '';
  const all = await offered(host, before, typed, outputDir);
  return all.filter(({ word }) => word.startsWith(typed));
}

async function offered(
  host: PluginHost,
  before: readonly string[],
  typed: string,
  outputDir: string,
): Promise<Candidate[]> {
  const [command, first] = before;
  if (command === undefined)
    return [
      ...commands.map(({ name, summary }) => ({ word: name, about: summary })),
      ...candidates(['--help', '--version']),
    ];
  if (typed.startsWith('-')) return flagCandidates(host, before, typed);
  const last = before.at(-1) ?? '';
  if (last.startsWith('-') && before.length > 1) return valuesOf(host, last);
  if (last === '@') return [];
  if (runCommands.has(command)) return runCandidates(outputDir);
  if (before.length === 1) return firstWords(host, command);
  return command === 'plugins' && first === 'show' ? pluginIds(host) : [];
}

const runCommands: ReadonlySet<string> = new Set([
  'show',
  'resume',
  'rescore',
  'compare',
  'export',
]);

const choices: Readonly<Record<string, readonly string[]>> = {
  plugins: ['list', 'show', 'doctor'],
  init: ['taskset', 'harness', 'environment', 'config'],
  completion: ['bash', 'zsh', 'fish'],
  help: commands.map(({ name }) => name),
};

function firstWords(host: PluginHost, command: string): Candidate[] {
  if (command === 'eval' || command === 'tasks' || command === 'validate')
    return pluginIds(host, 'taskset');
  return candidates(choices[command] ?? []);
}

/** Values of a flag; a flag that takes files or free text has none. */
function valuesOf(host: PluginHost, flag: string): Candidate[] {
  const [, kind] = /^--(taskset|harness|runtime|environment)(?:\.id)?$/.exec(flag) ?? [];
  if (kind !== undefined) return pluginIds(host, kind);
  if (flag === '--to') return pluginIds(host, 'export');
  const { [flag]: values = [] } = flagValues;
  return candidates(values);
}

const flagValues: Readonly<Record<string, readonly string[]>> = {
  '--provider': ['openai', 'anthropic', 'openrouter', 'prime', 'local'],
  '--include': [...includable],
  '--by': ['task'],
  '--from': ['harbor'],
  '--kind': ['taskset', 'harness', 'runtime', 'environment', 'dialect', 'export'],
  '--runtime.keep': ['never', 'failed'],
};

function pluginIds(host: PluginHost, wanted?: string): Candidate[] {
  return host
    .list()
    .flatMap(({ kind, id, summary, state }) =>
      id === null || (wanted !== undefined && kind !== wanted) || !/^(ok|also)/.test(state)
        ? []
        : [{ word: id, about: wanted === undefined ? `${kind}: ${summary}` : summary }],
    );
}

async function runCandidates(outputDir: string): Promise<Candidate[]> {
  const { listRuns } = await import('@vf/store');
  const runs = await listRuns(outputDir);
  return [
    ...candidates(runs.length === 0 ? [] : ['last'], 'the newest run'),
    ...runs.map(({ name, id, started }) => ({
      word: name ?? id,
      about: new Date(started * 1000).toISOString().slice(0, 16),
    })),
  ];
}
