import { VfError } from '@vf/core/errors';
import { parseCommandLine } from '../args/parse-args.ts';
import { pluginHost } from '../plugin-host.ts';

/** `vf plugins list` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, { booleans: ['json'], values: [], config: false });
  const [action = 'list'] = args.positionals;
  if (action !== 'list')
    throw new VfError('usage/invalid', `vf plugins knows list, not ${action}`, {
      hint: 'vf plugins list',
    });
  const entries = pluginHost(process.cwd()).list();
  if (args.booleans.has('json')) {
    process.stdout.write(`${JSON.stringify({ v: 1, plugins: entries })}\n`);
    return 0;
  }
  const rows = [
    ['KIND', 'ID', 'PACKAGE', 'VERSION', 'FROM', 'STATE'],
    ...entries.map(({ kind, id, package: name, version, from, state }) => [
      kind ?? '?',
      id ?? '?',
      name,
      version,
      from,
      state,
    ]),
  ];
  const widths =
    rows[0]?.map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  return 0;
}
