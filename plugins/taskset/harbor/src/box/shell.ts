import type { ExecOptions, ProgramResult, RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';

const bashElseSh =
  'if command -v bash >/dev/null 2>&1; then exec bash -c "$1"; fi; exec sh -c "$1"';

/** A task's command line as Harbor runs it, by bash without a profile; by sh in an image that has no bash. */
export function shell(command: string): readonly string[] {
  return ['sh', '-c', bashElseSh, 'sh', command];
}

const root = 0;

/**
 * A step of our own, as root.
 * @throws VfError taskset/hook_failed when it ends with an error
 */
export async function asRoot(
  runtime: RuntimeApi,
  argv: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const ended = await runtime.run(argv, { user: root, cwd: '/', signal });
  if (ended.exitCode === 0) return;
  throw new VfError('taskset/hook_failed', `${argv.join(' ')} ${howItEnded(ended)}`);
}

/** How a program ended and its last words, for messages. */
export function howItEnded(ended: ProgramResult): string {
  const how = ended.timedOut
    ? 'took too long'
    : ended.exitCode === null
      ? `was ended by ${ended.signal ?? 'a signal'}`
      : `exited ${ended.exitCode}`;
  return `${how}${lastWords(`${ended.stdout}\n${ended.stderr}`)}`;
}

const keptLines = 8;

export function lastWords(text: string): string {
  const lines = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-keptLines);
  return lines.length === 0
    ? ''
    : `; its last lines:\n${lines.map((line) => `  | ${line.slice(0, 300)}`).join('\n')}`;
}

/** `user` as an option of a program; nothing for the box's own. */
export function userOption(user: string | number | null): Pick<ExecOptions, 'user'> {
  return user === null ? {} : { user };
}
