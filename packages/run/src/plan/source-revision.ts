import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The git commit that `cwd` stands on, with `+` when files differ from it; null outside a repository. */
export async function sourceRevision(cwd: string): Promise<string | null> {
  try {
    const { stdout } = await run(
      'git',
      ['describe', '--always', '--abbrev=40', '--dirty=+', '--exclude=*'],
      { cwd, timeout: 5_000 },
    );
    return stdout.trim();
  } catch {
    return null;
  }
}
