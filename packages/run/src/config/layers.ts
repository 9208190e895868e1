import { dirname, resolve } from 'node:path';
import type { Problem } from '@vf/core/errors';
import { parseRef } from '@vf/plugin-host';
import type { Source, Written } from './source.ts';
import { canonicalId, canonicalPath } from './spellings.ts';
import { leaves } from './tree.ts';
import type { Tree } from './tree.ts';

/** One layer's values at their canonical paths (joined with NUL). */
export interface Layer {
  readonly values: ReadonlyMap<string, Written>;
  /** Keys that are refused, wherever they stand. */
  readonly problems: readonly Problem[];
  /** Keys given in two spellings. */
  readonly twice: readonly Problem[];
}

/** A key of one layer in canonical spelling; the same key in two spellings is a problem. */
export function toLayer(tree: Tree, source: Source, baseDir: string): Layer {
  const values = new Map<string, Written>();
  const problems: Problem[] = [];
  const twice: Problem[] = [];
  for (const [spelt, raw] of leaves(tree)) {
    const ignored = ignoredKey(spelt, raw);
    if (ignored === 'skip') continue;
    if (ignored !== null) {
      problems.push({ ...ignored, path: spelt.join('.') });
      continue;
    }
    for (const [path, value] of expanded(canonicalPath(spelt), raw, baseDir)) {
      const key = path.join('\0');
      const earlier = values.get(key);
      if (earlier === undefined) values.set(key, { value, source, spelt });
      else
        twice.push({
          path: spelt.join('.'),
          message: `the same key as ${earlier.spelt.join('.')}; keep one of them`,
        });
    }
  }
  return { values, problems, twice };
}

/** Folder that relative paths of a layer start from. */
export function baseDirOf(source: Source, cwd: string): string {
  return source.kind === 'file' || source.kind === 'user'
    ? dirname(resolve(cwd, source.file))
    : cwd;
}

const inert = new Set(['rich', 'push']);

/** Keys of verifiers that have no effect here, those that would need what vf does not do, and what no table can hold. */
function ignoredKey(spelt: readonly string[], value: unknown): Problem | 'skip' | null {
  const [first = '', second] = spelt;
  // Plain objects and schemas lose it, each in its own way.
  if (spelt.includes('__proto__')) return { message: 'unknown key' };
  if (first === 'push' && value === true)
    return {
      message: 'pushing results to a hub is not supported',
      fix: 'remove it; vf export writes files',
    };
  if (first === 'run' && second === 'attach')
    return { message: 'attaching a run to a platform is not supported', fix: 'remove it' };
  return inert.has(first) ? 'skip' : null;
}

const pluginIds = new Set(['taskset', 'harness', 'runtime', 'environment']);
const hookTables = new Set(['rewards', 'metrics', 'stops']);

/** `codex@0.116.0` is an id and a version; ids, functions and tokenizers given as paths start at
 * the layer's own folder. */
function expanded(
  path: readonly string[],
  raw: unknown,
  baseDir: string,
): (readonly [readonly string[], unknown])[] {
  const table = path.at(-2) ?? '';
  const key = path.at(-1) ?? '';
  if (typeof raw !== 'string') return [[path, raw]];
  if (key === 'fn' && hookTables.has(path[0] ?? '')) return [[path, resolve(baseDir, raw)]];
  if (key === 'tokenizer' && table === 'client') return [[path, resolve(baseDir, raw)]];
  if (key !== 'id' || !pluginIds.has(table)) return [[path, raw]];
  if (parseRef(raw).type === 'path') return [[path, resolve(baseDir, raw)]];
  const [, id, version] = /^([a-z][\w.-]*)@(\d[\w.+-]*)$/.exec(raw) ?? [];
  if (table !== 'harness' || id === undefined) return [[path, canonicalId(raw)]];
  return [
    [path, canonicalId(id)],
    [[...path.slice(0, -1), 'version'], version],
  ];
}
