import { VfError } from '@vf/core/errors';

/**
 * Runs a bench. What it cannot do without and is not there (a program, an engine, an image) is told in a line with what
 * to do, and ends it with exit code 2; a stack trace is for faults of its own.
 */
export async function told(bench: () => Promise<void>): Promise<void> {
  try {
    await bench();
  } catch (error) {
    if (!VfError.isInstance(error)) throw error;
    const { message, hint, code } = error;
    const fix = hint === null ? '' : `\n  fix: ${hint}`;
    process.stderr.write(`bench: ${message}${fix}   [${code}]\n`);
    process.exitCode = 2;
  }
}
