import { resolve } from 'node:path';
import type { Problem } from '@vf/core/errors';
import type { Locate } from './describe-issue.ts';
import { baseDirOf, toLayer } from './layers.ts';
import type { Layer } from './layers.ts';
import { readConfigFile } from './read-file.ts';
import type { ConfigInputs, FlagValue } from './config-inputs.ts';
import type { Source } from './source.ts';
import { setAt } from './tree.ts';
import type { Tree } from './tree.ts';

/** All layers of a config, the lowest first. @throws VfError config/unreadable */
export async function readLayers(
  { cwd, files, flags, userFile, defaults = [] }: ConfigInputs,
  locate: Locate,
): Promise<Layer[]> {
  const user = userFile === null ? [] : [await readLayer(userFile, 'user', cwd, locate)];
  const read = await Promise.all(files.map((file) => readLayer(file, 'file', cwd, locate)));
  const layersOf = (given: readonly FlagValue[]): Layer[] =>
    given.map((flag) => flagLayer(flag, cwd));
  return [...layersOf(defaults), ...user, ...read, ...layersOf(flags)];
}

async function readLayer(
  file: string,
  kind: 'user' | 'file',
  cwd: string,
  locate: Locate,
): Promise<Layer> {
  const { tree, text } = await readConfigFile(resolve(cwd, file), file);
  const source: Source = { kind, file, text };
  const layer = toLayer(tree, source, baseDirOf(source, cwd));
  const placed = (problem: Problem): Problem => ({
    ...problem,
    ...locate(source, (problem.path ?? '').split('.')),
  });
  const misplaced = kind === 'user' ? notForUsers(layer, file) : [];
  return {
    values: layer.values,
    problems: [...layer.problems.map(placed), ...misplaced],
    twice: layer.twice.map(placed),
  };
}

const userTables = new Set(['providers', 'prices', 'output_dir', 'display']);

function notForUsers({ values }: Layer, file: string): Problem[] {
  const tables = new Set([...values.keys()].map((key) => key.split('\0')[0] ?? ''));
  return [...tables]
    .filter((table) => !userTables.has(table))
    .map((table) => ({
      file,
      path: table,
      message: `the user file holds ${[...userTables].join(', ')} only; what is measured belongs into a file of the run`,
    }));
}

function flagLayer({ flag, path, value }: FlagValue, cwd: string): Layer {
  const tree: Tree = {};
  setAt(tree, path, value);
  return toLayer(tree, { kind: 'flag', flag }, cwd);
}
