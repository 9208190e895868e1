import { execFile } from 'node:child_process';
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
  const args = ['describe', '--always', '--abbrev=40', '--dirty=+', '--exclude=*'];
  try {
    const { stdout } = await run('git', args, { cwd, timeout: 5_000 });
    return stdout.trim();
  } catch {
    return null;
  }
}
