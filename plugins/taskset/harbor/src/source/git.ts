import { execFile } from 'node:child_process';
import { VfError } from '@vf/core/errors';

/** A URL as messages show it, without a password. */
export function shownUrl(url: string): string {
  return url.replace(/(\/\/)[^/@]*@/, '$1');
}

const lastLines = 5;
const mostOutput = 64 * 1024 * 1024;

/**
 * Runs git, which never asks for a password.
 * @param doing for the message, such as `the tasks of URL cannot be fetched`
 * @returns what it prints
 * @throws VfError taskset/load_failed
 */
export async function git(
  args: readonly string[],
  doing: string,
  signal: AbortSignal,
  stdin = '',
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_LFS_SKIP_SMUDGE: '1' };
  const child = execFile(
    'git',
    [...args],
    { env, signal, maxBuffer: mostOutput },
    (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(failure(error, stderr, doing));
    },
  );
  // A git that ends before it has read this says why on stderr.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(stdin);
  return promise;
}

function failure(error: Error, stderr: string, doing: string): Error {
  if (error.name === 'AbortError') return error;
  const isMissing = 'code' in error && error.code === 'ENOENT';
  const said = stderr.trim().split('\n').slice(-lastLines).map(shownUrl).join('\n');
  return new VfError(
    'taskset/load_failed',
    `${doing}: ${isMissing ? 'there is no git here' : said || error.message}`,
    { hint: isMissing ? 'install git' : 'check address, ref and access', cause: error },
  );
}
