import { createInterface } from 'node:readline/promises';
import { VfError } from '@vf/core/errors';
import { formatCount } from './format.ts';

const unquestioned = 200;

/** On a terminal, a large run that nobody bounded is asked about once. @throws VfError usage/declined on anything but yes */
export async function confirmSize(rollouts: number, isBounded: boolean): Promise<void> {
  if (isBounded || rollouts <= unquestioned || !process.stdin.isTTY || !process.stderr.isTTY)
    return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${formatCount(rollouts)} rollouts. Go on? [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    terminal.close();
  }
  throw new VfError('usage/declined', 'nothing was started', {
    hint: '-n N bounds it, --yes does not ask',
  });
}
