import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const asked = new Map<string, Promise<string | null>>();

/**
 * The git commit that `cwd` stands on, with `+` when files differ from it; null outside a repository. Asked once:
 * who calls early, while something else is waited for, has it for nothing later.
 */
export function sourceRevision(cwd: string): Promise<string | null> {
  const known = asked.get(cwd) ?? describe(cwd);
  asked.set(cwd, known);
  return known;
}

async function describe(cwd: string): Promise<string | null> {
  if (!isInCheckout(resolve(cwd))) return null;
  const args = ['describe', '--always', '--abbrev=40', '--dirty=+', '--exclude=*'];
  try {
    const { stdout } = await run('git', args, { cwd, timeout: 5_000 });
    return stdout.trim();
  } catch {
    return null;
  }
}

/** Looked up here because starting git only to hear "no" takes longer than all other steps before a run. */
function isInCheckout(folder: string): boolean {
  if (process.env['GIT_DIR'] !== undefined || existsSync(join(folder, '.git'))) return true;
  const above = dirname(folder);
  return above !== folder && isInCheckout(above);
}
