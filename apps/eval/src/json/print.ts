import { mask } from '../masking.ts';
import { snake } from '@vf/run/names';

/** One document with its version, keys in snake_case. @returns exit code 0 */
export function printDocument(fields: object): number {
  return printText(JSON.stringify({ v: 1, ...snake(fields) }));
}

/** @returns exit code 0 */
export function printText(text: string): number {
  process.stdout.write(`${mask(text)}\n`);
  return 0;
}
