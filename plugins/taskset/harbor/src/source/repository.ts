import { VfError } from '@vf/core/errors';

/** A repository as a person names it. */
export interface Repository {
  readonly url: string;
  readonly ref: string | null;
  /** Folder of the repository. */
  readonly folder: string | null;
}

const scheme = /^(?:https?|ssh|git|file):\/\//;

/**
 * Reads `org/name` (on GitHub), `host/org/name`, a URL, `…/tree/REF/FOLDER` or `git@host:org/name`, each with `@REF`
 * behind it or not.
 * @throws VfError taskset/load_failed
 */
export function parseRepository(source: string): Repository {
  const [, base = source, ref = null] = /^(.+)@([^/:@]+)$/.exec(source) ?? [];
  if (scheme.test(base)) return parseUrl(base, ref);
  if (base.startsWith('git@')) return { url: base, ref, folder: null };
  const parts = base.split('/').filter((part) => part !== '');
  const [first = ''] = parts;
  const isPath = /^[./~-]/.test(base);
  if (!isPath && first.includes('.')) return parseUrl(`https://${base}`, ref);
  if (!isPath && parts.length === 2)
    return { url: `https://github.com/${base.replace(/\.git$/, '')}.git`, ref, folder: null };
  throw new VfError('taskset/load_failed', `${source} is no git repository`, {
    hint: isPath
      ? `--taskset.path ${source}, or --taskset.git file://…`
      : '--taskset.git org/name, or a URL',
  });
}

function parseUrl(text: string, ref: string | null): Repository {
  const [, base = text, treeRef, folder] =
    /^(.*?)(?:\/-)?\/tree\/([^/]+)(?:\/(.*?))?\/?$/.exec(text) ?? [];
  if (treeRef !== undefined && ref !== null)
    throw new VfError('taskset/load_failed', `${text}@${ref} names two refs`, {
      hint: 'leave one out',
    });
  return {
    url: base,
    ref: ref ?? treeRef ?? null,
    folder: folder === undefined || folder === '' ? null : folder,
  };
}
