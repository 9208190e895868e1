import { commands } from '../commands.ts';
import { commandFlags } from './command-flags.ts';

/** Help of vf, or of one command. */
export function helpText(name?: string): string {
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) return general();
  return [`${command.usage}\n  ${command.summary}`, commandFlags[command.name] ?? '']
    .filter((part) => part !== '')
    .join('\n\n');
}

function general(): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length));
  const lines = commands.map(({ usage, summary }) => `  ${usage.padEnd(width)}   ${summary}`);
  return [
    'vf evaluates agents on tasks and keeps every turn.',
    '',
    ...lines,
    '',
    'vf COMMAND --help says more; after a taskset, --harness or --runtime it shows their options too.',
    'vf --version',
  ].join('\n');
}
