import { VfError } from '@vf/core/errors';
import { git, shownUrl } from './git.ts';

/** A whole commit id: the only ref that always means the same. */
function isCommit(ref: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(ref);
}

/**
 * The commit that a branch, a tag or `HEAD` stands for now; a commit stands for itself.
 * @throws VfError taskset/load_failed
 */
export async function commitOf(url: string, ref: string, signal: AbortSignal): Promise<string> {
  if (isCommit(ref)) return ref;
  const doing = `${shownUrl(url)} cannot be asked for ${ref}`;
  const listed = await git(['ls-remote', '--', url, ref, `${ref}^{}`], doing, signal);
  const found = new Map(
    listed.split('\n').flatMap((line) => {
      const [commit = '', name] = line.split('\t');
      return name === undefined ? [] : [[name, commit] as const];
    }),
  );
  // A tag with a text of its own is another object than the commit that it names.
  const names = [`refs/tags/${ref}^{}`, `refs/heads/${ref}`, `refs/tags/${ref}`, `${ref}^{}`, ref];
  const commit = names.map((name) => found.get(name)).find((one) => one !== undefined);
  if (commit !== undefined) return commit;
  throw new VfError('taskset/load_failed', `${shownUrl(url)} has no branch or tag ${ref}`, {
    hint: '--taskset.ref BRANCH, TAG or a whole commit id',
  });
}
