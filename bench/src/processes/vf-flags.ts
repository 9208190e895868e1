import { readFileSync } from 'node:fs';

const [firstLine = ''] = readFileSync(
  new URL('../../../apps/eval/bin/vf.js', import.meta.url),
  'utf8',
).split('\n', 1);

/** What `vf` has Node started with, from its first line: programs that stand for it, or beside it, run under the same. */
export const vfFlags: readonly string[] = firstLine
  .split(' ')
  .filter((word) => word.startsWith('--'));
