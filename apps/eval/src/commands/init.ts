import { resolve } from 'node:path';
import { VfError, nearest } from '@vf/core/errors';
import { parseCommandLine } from '../args/parse-args.ts';
import { configFiles, withoutOurSchema } from '../init/config-files.ts';
import { pluginFiles } from '../init/plugin-files.ts';
import type { InitKind, NewFiles } from '../init/plugin-files.ts';
import { pluginName } from '../init/plugin-name.ts';
import { writeFiles } from '../init/write-files.ts';
import { printDocument, printText } from '../json/print.ts';
import { pluginHost } from '../plugin-host.ts';

const kinds = ['taskset', 'harness', 'environment'] as const satisfies readonly InitKind[];

/** `vf init KIND NAME` */
export async function run(argv: readonly string[]): Promise<number> {
  const args = parseCommandLine(argv, { booleans: ['json'], values: ['dir'], config: false });
  const [kind, name, ...rest] = args.positionals;
  if (kind === undefined || name === undefined || rest.length > 0)
    throw new VfError('usage/invalid', 'vf init takes a kind and a name', {
      hint: 'vf init taskset sums',
    });
  const { files, folder, next } = await planned(kind, name);
  const dir = resolve(args.values.get('dir') ?? folder);
  const wanted = kind === 'config' ? withoutOurSchema(dir, files) : files;
  await writeFiles(dir, wanted);
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

async function planned(wanted: string, name: string): Promise<Planned> {
  if (wanted === 'config') {
    const files = await configFiles(pluginHost(process.cwd()), name);
    return { files, folder: '.', next: `vf eval @ ${[...files.keys()][0]} --dry-run` };
  }
  const kind = kinds.find((known) => known === wanted);
  if (kind === undefined) throw unknownKind(wanted);
  const plugin = pluginName(kind, name);
  return {
    files: await pluginFiles(kind, plugin),
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
