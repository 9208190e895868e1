import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import dockerignore from '@balena/dockerignore';
import type { Ignore } from '@balena/dockerignore';
import type { Pack } from 'tar-stream';
import type { LocalEntry } from '../files/local-tree.ts';
import { localTree } from '../files/local-tree.ts';
import { addLocal, tarOf } from '../files/pack.ts';
import type { Recipe } from './recipe.ts';

/** What is sent to the engine for a build. */
export interface Context {
  readonly recipe: Recipe;
  readonly root: string;
  readonly dockerfile: string;
  readonly entries: readonly LocalEntry[];
  /** Names the content: paths, modes, links, bytes, which file is the Dockerfile, arguments and stage. */
  readonly key: string;
}

/** Reads a context as its `.dockerignore` says. */
export async function readContext(recipe: Recipe): Promise<Context> {
  const root = recipe.context;
  const dockerfile = recipe.dockerfile ?? 'Dockerfile';
  const ignored = await ignoreRules(root, dockerfile);
  const entries: LocalEntry[] = [];
  const hash = createHash('sha256').update(`1 ${dockerfile}\n`);
  for await (const entry of localTree(root, { anyLink: true, wanted: ignored.wanted })) {
    if (entry.path === '' || ignored.leavesOut(entry.path)) continue;
    entries.push(entry);
    const { path, kind, mode, size, linkTarget } = entry;
    hash.update(JSON.stringify([path, kind, mode, size, linkTarget]));
    if (kind !== 'file') continue;
    for await (const chunk of createReadStream(join(root, path))) hash.update(chunk as Buffer);
  }
  const { args, target } = recipe;
  if (args !== undefined || target !== undefined) {
    hash.update(
      JSON.stringify([Object.entries(args ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)), target]),
    );
  }
  return { recipe, root, dockerfile, entries, key: hash.digest('hex').slice(0, 32) };
}

export function contextTar({ root, entries }: Context): Pack {
  return tarOf(async (tar) => {
    for (const entry of entries) await addLocal(tar, root, entry, entry.path, { uid: 0, gid: 0 });
  });
}

interface IgnoreRules {
  /** Is it worth a look, or what is below it? */
  wanted(path: string): boolean;
  leavesOut(path: string): boolean;
}

/** Its types speak of a default export; the module is the function itself. */
const factory: unknown = dockerignore;
const newRules = (): Ignore => (factory as () => Ignore)();

async function ignoreRules(root: string, dockerfile: string): Promise<IgnoreRules> {
  const text = await readFile(join(root, '.dockerignore'), 'utf8').catch(() => '');
  const rules = newRules()
    .add(text)
    .add([`!${dockerfile}`, '!.dockerignore']);
  const leavesOut = (path: string): boolean => rules.ignores(path);
  // A folder that is left out may hold what is taken in again.
  const takesInAgain = /^\s*!/m.test(text) || dockerfile.includes('/');
  return { leavesOut, wanted: (path) => takesInAgain || !leavesOut(path) };
}
