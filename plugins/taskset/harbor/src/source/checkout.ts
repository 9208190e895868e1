import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VfError } from '@vf/core/errors';
import { cacheDir, removeTree, withLock } from '@vf/runtime-kit';
import { isFolder } from '../folder/look.ts';
import { fillOnce } from './fill-once.ts';
import { git, shownUrl } from './git.ts';

export interface Checkout {
  readonly url: string;
  readonly commit: string;
  /** Folders and files of the repository that are needed; none: all of it. */
  readonly paths: readonly string[];
}

/**
 * The folder that holds a commit's files. It is fetched once per machine: a commit id is a checksum of all there is.
 * @throws VfError taskset/load_failed
 */
export async function checkedOut(wanted: Checkout, signal: AbortSignal): Promise<string> {
  const { url, commit, paths } = wanted;
  const of = createHash('sha256').update([url, ...paths.toSorted()].join('\0'));
  const name = `${commit}-${of.digest('hex').slice(0, 16)}`;
  const folder = join(cacheDir(), 'harbor', 'git', name);
  if (await isFolder(folder)) return folder;
  await withLock(`${folder}.lock`, signal, async () => {
    if (!(await isFolder(folder))) await fetchInto(folder, wanted, signal);
  });
  return folder;
}

function fetchInto(folder: string, wanted: Checkout, signal: AbortSignal): Promise<void> {
  return fillOnce(folder, async (part) => {
    await fetchCommit(part, wanted, signal);
    await removeTree(join(part, '.git'));
  });
}

async function fetchCommit(dir: string, wanted: Checkout, signal: AbortSignal): Promise<void> {
  const { url, commit, paths } = wanted;
  const doing = `${commit.slice(0, 12)} of ${shownUrl(url)} cannot be fetched`;
  const run = (args: readonly string[], stdin?: string) =>
    git(['-C', dir, ...args], doing, signal, stdin);
  await git(['init', '--quiet', dir], doing, signal);
  await run(['remote', 'add', '--', 'origin', url]);
  if (paths.length > 0)
    await run(['sparse-checkout', 'set', '--no-cone', '--stdin'], paths.map(asPattern).join('\n'));
  // Its server takes the filter and then cannot give what was left out.
  const filter = url.includes('huggingface.co') ? [] : ['--filter=blob:none'];
  const fetch = ['fetch', '--quiet', ...filter];
  try {
    await run([...fetch, '--depth', '1', 'origin', commit]);
  } catch (error) {
    if (!VfError.isInstance(error)) throw error;
    // Some servers give out no commit by its id.
    await run([...fetch, '--tags', 'origin', '+refs/heads/*:refs/remotes/origin/*']);
  }
  await run(['-c', 'advice.detachedHead=false', 'checkout', '--quiet', '--detach', commit]);
  if (await usesLfs(dir)) await run(['lfs', 'pull']);
}

/** A path as a pattern of a sparse checkout, which is one of `.gitignore`. */
function asPattern(path: string): string {
  return `/${path.replaceAll(/[\\*?[]/g, String.raw`\$&`)}`;
}

async function usesLfs(dir: string): Promise<boolean> {
  const attributes = await readFile(join(dir, '.gitattributes'), 'utf8').catch(() => '');
  return /\bfilter=lfs\b/.test(attributes);
}
