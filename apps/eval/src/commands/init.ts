import { resolve } from 'node:path';
import { VfError, nearest } from '@vf/core/errors';
import { parseCommandLine } from '../args/parse-args.ts';
import { configFiles, withoutOurSchema } from '../init/config-files.ts';
import { copyHarborTasks, harborTasksAt } from '../init/harbor-files.ts';
import { pluginFiles } from '../init/plugin-files.ts';
import type { InitKind, NewFiles } from '../init/plugin-files.ts';
import { pluginName } from '../init/plugin-name.ts';
import { writeFiles } from '../init/write-files.ts';
import { printDocument, printText } from '../json/print.ts';
import { pluginHost } from '../plugin-host.ts';

const kinds = ['taskset', 'harness', 'environment'] as const satisfies readonly InitKind[];

/** `vf init KIND NAME` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, {
    booleans: ['json'],
    values: ['dir', 'from'],
    config: false,
  });
  const [kind, name, ...rest] = args.positionals;
  const tasks = tasksFrom(args.values.get('from'), rest);
  if (kind === undefined || name === undefined || (tasks === null && rest.length > 0))
    throw new VfError('usage/invalid', 'vf init takes a kind and a name', {
      hint: 'vf init taskset sums',
    });
  const { files, folder, next } = await planned(kind, name, tasks !== null);
  const dir = resolve(args.values.get('dir') ?? folder);
  const wanted = kind === 'config' ? withoutOurSchema(dir, files) : files;
  await writeFiles(dir, wanted);
  if (tasks !== null) await copyHarborTasks(tasks, dir);
  if (args.booleans.has('json')) return printDocument({ dir, files: [...wanted.keys()] });
  const lines = [...wanted.keys()].toSorted().map((path) => `  ${path}`);
  return printText([dir, ...lines, `next: ${next}`].join('\n'));
}

interface Planned {
  readonly files: NewFiles;
  readonly folder: string;
  /** What to type then. */
  readonly next: string;
}

/** What `--from harbor PATH` names; null without it. @throws VfError usage/invalid, usage/not_found */
function tasksFrom(from: string | undefined, paths: readonly string[]): readonly string[] | null {
  if (from === undefined) return null;
  const [path, ...more] = paths;
  if (from === 'harbor' && path !== undefined && more.length === 0) return harborTasksAt(path);
  throw new VfError('usage/invalid', '--from takes harbor and a folder of tasks', {
    hint: 'vf init taskset NAME --from harbor PATH',
  });
}

async function planned(wanted: string, name: string, hasTasks: boolean): Promise<Planned> {
  if (hasTasks && wanted !== 'taskset')
    throw new VfError('usage/invalid', `--from is of tasksets, not of ${wanted}`, {
      hint: 'vf init taskset NAME --from harbor PATH',
    });
  if (wanted === 'config') {
    const files = await configFiles(pluginHost(process.cwd()), name);
    return { files, folder: '.', next: `vf eval @ ${[...files.keys()][0]} --dry-run` };
  }
  const kind = kinds.find((known) => known === wanted);
  if (kind === undefined) throw unknownKind(wanted);
  const plugin = pluginName(kind, name);
  return {
    files: await pluginFiles(hasTasks ? 'harbor' : kind, plugin),
    folder: plugin.folder,
    next: 'npm install, npm test, and vf plugins doctor before npm publish',
  };
}

function unknownKind(kind: string): VfError {
  const known = [...kinds, 'config'];
  const close = nearest(kind, known);
  return new VfError(
    'usage/invalid',
    `vf init knows ${known.join(', ')}, not ${kind}${close === null ? '' : `; nearest: ${close}`}`,
    { hint: `vf init ${close ?? 'taskset'} NAME` },
  );
}
