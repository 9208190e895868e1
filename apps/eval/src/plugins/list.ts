import { parseCommandLine } from '../args/parse-args.ts';
import { printDocument, printText } from '../json/print.ts';
import { pluginHost } from '../plugin-host.ts';
import { alignRows } from '../screen/table.ts';

/** `vf plugins list` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, { booleans: ['json'], values: [], config: false });
  const plugins = pluginHost(process.cwd()).list();
  if (args.booleans.has('json')) return printDocument({ plugins });
  const rows = plugins.map(({ kind, id, package: name, version, from, state }) => [
    kind ?? '?',
    id ?? '?',
    name,
    version,
    from,
    state,
  ]);
  const head = ['KIND', 'ID', 'PACKAGE', 'VERSION', 'FROM', 'STATE'];
  return printText(alignRows([head, ...rows]).join('\n'));
}
