import { resolve } from 'node:path';
import type { ParsedArgs } from './args/parse-args.ts';

/** Where runs are looked for by commands that read no config. */
export function outputDir({ values, raw }: ParsedArgs): string {
  const flag = raw.findLast(({ name }) => name.replaceAll('_', '-') === 'output-dir')?.text;
  return resolve(values.get('output-dir') ?? flag ?? defaultOutputDir());
}

/** Where runs are looked for without a flag. */
export function defaultOutputDir(): string {
  return resolve(process.env['VF_OUTPUT_DIR'] || 'outputs');
}
