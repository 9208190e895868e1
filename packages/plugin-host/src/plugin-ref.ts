import { isAbsolute } from 'node:path';

/** How a config names a plugin. */
export type PluginRef =
  | { readonly type: 'id'; readonly id: string }
  | { readonly type: 'pinned'; readonly package: string; readonly id: string }
  | { readonly type: 'path'; readonly path: string };

/** `codex`, `@acme/vf-taskset-sql#sql`, or a path such as `./sql.ts`. */
export function parseRef(ref: string): PluginRef {
  if (ref.startsWith('./') || ref.startsWith('../') || isAbsolute(ref) || /\.[cm]?[jt]s$/.test(ref))
    return { type: 'path', path: ref };
  const hash = ref.lastIndexOf('#');
  if (hash > 0) return { type: 'pinned', package: ref.slice(0, hash), id: ref.slice(hash + 1) };
  return { type: 'id', id: ref };
}
