import { posix } from 'node:path';
import { VfError } from '@vf/core/errors';

/**
 * Where a link within a tree leads, relative to its own folder; an absolute one that leads into the tree is made
 * relative, so that it leads to the copy.
 * @param root the tree's own path, by which absolute targets are judged
 * @param path of the link, relative to the root
 * @throws VfError runtime/bad_archive when it leads out of the tree
 */
export function containedLink(root: string, path: string, target: string): string {
  const from = posix.join(root, posix.dirname(path));
  const leadsTo = posix.resolve(from, target);
  if (leadsTo !== root && !leadsTo.startsWith(root.endsWith('/') ? root : `${root}/`)) {
    throw badArchive(`${path} in ${root} is a link out of it, to ${target}`);
  }
  return posix.relative(from, leadsTo) || '.';
}

export function badArchive(message: string, cause?: unknown): VfError {
  return new VfError('runtime/bad_archive', message, {
    retryable: false,
    ...(cause === undefined ? {} : { cause }),
  });
}
