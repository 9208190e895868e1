import { pluginKinds } from '@vf/core';
import type { PluginKind } from '@vf/core';
import { VfError, nearest } from '@vf/core/errors';
import { parseRef } from '@vf/plugin-host';
import type { PluginEntry, PluginHost } from '@vf/plugin-host';
import { parseCommandLine } from '../args/parse-args.ts';
import { optionLines } from '../help/plugin-options.ts';
import { printDocument, printText } from '../json/print.ts';
import { pluginHost } from '../plugin-host.ts';
import { factsOf } from './facts.ts';
import type { Fact } from './facts.ts';
import { optionRows } from './options.ts';
import type { OptionRow } from './options.ts';

/** A plugin as `vf plugins show` tells it. */
interface Shown {
  readonly kind: PluginKind;
  readonly id: string;
  /** null for one given as a path. */
  readonly package: string | null;
  readonly version: string | null;
  readonly from: string;
  readonly summary: string;
  readonly requires: { readonly bins: readonly string[]; readonly env: readonly string[] };
  readonly coreRange: string | null;
  readonly facts: readonly Fact[];
  readonly options: readonly OptionRow[];
}

/** `vf plugins show ID` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, { booleans: ['json'], values: ['kind'], config: false });
  const [ref, ...rest] = args.positionals;
  if (ref === undefined || rest.length > 0)
    throw new VfError('usage/invalid', 'vf plugins show takes one id', {
      hint: 'vf plugins show gsm8k; vf plugins list names them all',
    });
  const host = pluginHost(process.cwd());
  const plugins: Shown[] = [];
  for (const kind of kindsOf(host, ref, args.values.get('kind')))
    plugins.push(await shown(host, kind, ref));
  if (args.booleans.has('json'))
    return printDocument({
      plugins: plugins.map(({ facts, ...plugin }) => ({
        ...plugin,
        facts: Object.fromEntries(facts),
      })),
    });
  return printText(plugins.map(textOf).join('\n\n'));
}

/** Every kind that has this id, or the one that is wanted. */
function kindsOf(host: PluginHost, ref: string, wanted: string | undefined): PluginKind[] {
  const one = pluginKinds.find((known) => known === wanted);
  if (one !== undefined) return [one];
  if (wanted !== undefined)
    throw new VfError('usage/invalid', `no kind "${wanted}" of plugin`, {
      hint: `--kind ${pluginKinds.join(', ')}`,
    });
  const parsed = parseRef(ref);
  if (parsed.type === 'path')
    throw new VfError('usage/invalid', `${ref} is a file: say what it brings`, {
      hint: `vf plugins show ${ref} --kind taskset`,
    });
  const entries = host.list();
  const kinds = entries.flatMap(({ kind, id }) => (kind !== null && id === parsed.id ? kind : []));
  if (kinds.length > 0) return [...new Set(kinds)];
  throw unknown(parsed.id, entries);
}

function unknown(id: string, entries: readonly PluginEntry[]): VfError {
  const known = [...new Set(entries.flatMap((entry) => entry.id ?? []))];
  const close = nearest(id, known);
  const what = close === null ? `installed: ${known.join(', ')}` : `nearest: ${close}`;
  return new VfError('plugin/unknown', `no plugin "${id}"; ${what}`, {
    hint: `vf plugins ${close === null ? 'list' : `show ${close}`}; a package that is not installed is called vf-KIND-ID`,
  });
}

async function shown(host: PluginHost, kind: PluginKind, ref: string): Promise<Shown> {
  const plugin = await host.load(kind, ref, new AbortController().signal);
  const entry = host
    .list()
    .find((known) => known.package === plugin.package && known.id === plugin.id);
  return {
    kind,
    id: plugin.id,
    package: plugin.package,
    version: plugin.version,
    from: entry === undefined ? ref : `${entry.from}, ${entry.dir}`,
    summary: entry?.summary ?? '',
    requires: entry?.requires ?? { bins: [], env: [] },
    coreRange: entry?.coreRange ?? null,
    facts: factsOf(kind, plugin.value),
    options: optionRows(plugin.value),
  };
}

function textOf(plugin: Shown): string {
  const { kind, id, version, from, summary, requires, coreRange, options } = plugin;
  const facts: readonly Fact[] = [
    ['package', plugin.package === null ? '–' : `${plugin.package} ${version}`],
    ['from', from],
    ...(coreRange === null ? [] : [['@vf/core', coreRange] as const]),
    ...(requires.bins.length === 0 ? [] : [['programs', requires.bins.join(', ')] as const]),
    ...(requires.env.length === 0 ? [] : [['variables', requires.env.join(', ')] as const]),
    ...plugin.facts,
  ];
  return [
    `${kind} ${id}${summary === '' ? '' : `: ${summary}`}`,
    ...facts.map(([name, text]) => `  ${name.padEnd(10)} ${text}`),
    '',
    'Options:',
    ...optionLines(kind, options),
  ].join('\n');
}
