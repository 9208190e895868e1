import { configSchemaText } from '../plugins/config-schema-text.ts';
import { parseCommandLine } from '../args/parse-args.ts';
import { printText } from '../json/print.ts';
import { pluginHost } from '../plugin-host.ts';
import { writeReport } from '../write-report.ts';

/** `vf schema` */
export async function run(argv: readonly string[]): Promise<number> {
  // `-o` is short for a config key elsewhere.
  const args = parseCommandLine(argv, {
    booleans: ['json'],
    values: ['output', 'output-dir'],
    config: false,
  });
  const { text, problems } = await configSchemaText(pluginHost(process.cwd()));
  for (const problem of problems) process.stderr.write(`vf: left out: ${problem}\n`);
  const file = args.values.get('output') ?? args.values.get('output-dir');
  if (file === undefined) return printText(text);
  await writeReport(file, `${text}\n`);
  process.stderr.write(`wrote ${file}\n`);
  return 0;
}
