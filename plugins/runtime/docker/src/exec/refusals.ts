import { VfError } from '@vf/core/errors';
import { wordsOf } from '../engine/engine-error.ts';

/** Linux: MAX_ARG_STRLEN, 32 pages, with the closing zero. */
const longestWord = 128 * 1024;
/** Linux: a quarter of the usual stack of 8 MiB, less what the kernel and the image's own variables need. */
const longestCommand = 2 * 1024 * 1024 - 64 * 1024;

/** @throws VfError runtime/exec_failed for what no Linux would start; the engine tells it as a failing program */
export function refuseTooLong(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): void {
  const words = [...argv, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const sizes = words.map((word) => Buffer.byteLength(word) + 1);
  const total = sizes.reduce((sum, size) => sum + size + 8, 0);
  if (sizes.every((size) => size <= longestWord) && total <= longestCommand) return;
  const message = `the arguments and environment of ${argv[0]} are too long for Linux (${total} bytes)`;
  throw new VfError('runtime/exec_failed', message, {
    hint: 'give long input by stdin or in a file; one argument takes at most 128 KiB',
    retryable: false,
  });
}

/**
 * Docker's words are in the place of output, Podman's in that of errors. `ttrpc: closed` is all that is said where the
 * process that runs the container ended under the call.
 */
const refusals = {
  stdout:
    /^(?:OCI runtime exec failed|unable to find user|unable to find group|cannot exec in a |ttrpc: (?:server )?closed(?:: unknown)?\s*$)/,
  stderr: /^Error: (.*): OCI (?:runtime|permission denied)/,
} as const;

/** The beginnings of what a program said. */
export type Heads = Readonly<Record<keyof typeof refusals, string>>;

/** The engine's words, when it could not start the program; else null. */
export function startFailure(exitCode: number, { stdout, stderr }: Heads): string | null {
  if (exitCode !== 126 && exitCode !== 127) return null;
  if (refusals.stdout.test(stdout)) return stdout.trim();
  return refusals.stderr.exec(stderr)?.[1] ?? null;
}

/**
 * What the engine may have said in the place of a program: it has many words for a box that dies under a call, and
 * Docker ends them as a terminal does.
 */
export function engineWords(exitCode: number, heads: Heads): string | null {
  const known = startFailure(exitCode, heads);
  if (known !== null || exitCode !== 126 || heads.stderr !== '') return known;
  return /^[^\n]+\r\n$/.test(heads.stdout) ? heads.stdout.trim() : null;
}

export function execFailed(command: string | undefined, cause: unknown): VfError {
  const words = wordsOf(cause).replace(/^.*unable to start container process: /, '');
  return new VfError('runtime/exec_failed', `${command} could not be started: ${words}`, {
    retryable: false,
    ...(cause instanceof Error ? { cause } : {}),
  });
}
