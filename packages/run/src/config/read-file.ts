import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { TomlError, parse as parseToml } from 'smol-toml';
import { VfError } from '@vf/core/errors';
import { placesInJson } from './locate-json.ts';
import { isTree } from './tree.ts';
import type { Tree } from './tree.ts';

/** A config file as parsed, TOML or JSON by its ending. @throws VfError config/unreadable */
export async function readConfigFile(
  file: string,
  shown: string,
): Promise<{ readonly tree: Tree; readonly text: string }> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const reason =
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? 'it is not there'
        : String(error);
    throw new VfError('config/unreadable', `${shown} cannot be read: ${reason}`, {
      hint: 'check the path after @',
      cause: error,
    });
  }
  text = text.replace(/^\uFEFF/, '');
  return { tree: parseConfig(text, shown), text };
}

function parseConfig(text: string, shown: string): Tree {
  try {
    const tree: unknown = extname(shown) === '.json' ? parseJson(text, shown) : parseToml(text);
    if (!isTree(tree)) throw new Error('expected a table of keys');
    if (isDeeperThan(tree, deepest)) throw new Error(`nested deeper than ${deepest} levels`);
    return tree;
  } catch (error) {
    if (VfError.isInstance(error)) throw error;
    const place = error instanceof TomlError ? { line: error.line, column: error.column } : {};
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new VfError('config/unreadable', `${shown} does not parse`, {
      problems: [{ file: shown, ...place, message: reason }],
      cause: error,
    });
  }
}

/** JSON allows a key twice and takes the last one; TOML does not, and neither do we. */
function parseJson(text: string, shown: string): unknown {
  const tree: unknown = JSON.parse(text);
  const { doubled } = placesInJson(text);
  if (doubled.length === 0) return tree;
  throw new VfError('config/unreadable', `${shown} has keys twice`, {
    hint: 'keep one of each',
    problems: doubled.map(({ path, place, first }) => ({
      file: shown,
      ...place,
      path: path.join('.'),
      message: `is there already, on line ${first.line}`,
    })),
  });
}

const deepest = 64;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}
