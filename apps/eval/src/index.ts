import { commands } from './commands.ts';
import { toItsEnd } from './early-end.ts';
import { mask } from './masking.ts';

/**
 * Runs one command line.
 * @param argv without node and script
 * @returns the exit code
 */
export async function main(argv: readonly string[]): Promise<number> {
  outliveReaders();
  const [name = '--help', ...rest] = argv;
  try {
    if (name === '--version') return print((await import('./version.ts')).versionText());
    if (name === '--help' || name === '-h' || name === 'help') return await help(rest[0], []);
    const command = commands.find((candidate) => candidate.name === name);
    if (command === undefined) throw await unknownCommand(name);
    if (isHelp(rest)) return await help(name, rest);
    const { run } = await command.load();
    return await toItsEnd(() => run(rest));
  } catch (error) {
    return await report(error);
  }
}

/** Who reads our output may leave (`vf show | head`); what a run does goes on without a reader. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
    });
  }
}

function print(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

async function help(name: string | undefined, argv: readonly string[]): Promise<number> {
  const { helpText } = await import('./help/help-text.ts');
  const words = argv.filter((arg) => arg !== '--help' && arg !== '-h');
  if (words.length === 0 || name === undefined || !takesPlugins.has(name))
    return print(helpText(name));
  const { pluginOptionsText } = await import('./help/plugin-options.ts');
  const options = await pluginOptionsText(words, name);
  return print([helpText(name), options].filter((text) => text !== '').join('\n\n'));
}

const takesPlugins: ReadonlySet<string> = new Set(['eval', 'export', 'serve', 'tasks', 'validate']);

function isHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end < 0 ? argv : argv.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}

async function unknownCommand(name: string): Promise<Error> {
  const { VfError, nearest } = await import('@vf/core/errors');
  const close = nearest(
    name,
    commands.map((command) => command.name),
  );
  return new VfError(
    'usage/invalid',
    `no command "${name}"${close === null ? '' : `; nearest: ${close}`}`,
    { hint: close === null ? 'vf --help' : `vf ${close} --help` },
  );
}

/** Families of errors that are refused before a rollout has begun. */
const refused =
  /^(usage|config|plugin|misfit|provider|taskset|store|runtime|harness|interception)\//;

async function report(thrown: unknown): Promise<number> {
  const [{ asVfError, errorText }, { paletteOf }, { placed }] = await Promise.all([
    import('./screen/error-text.ts'),
    import('./screen/palette.ts'),
    import('./places.ts'),
  ]);
  const failure = placed(asVfError(thrown));
  if (process.argv.includes('--json')) {
    const { code, message, hint, problems } = failure;
    const { eventLine } = await import('./json/event-line.ts');
    process.stdout.write(mask(`${eventLine('error', { code, message, hint, problems })}\n`));
  }
  process.stderr.write(mask(`${errorText(failure, paletteOf(process.stderr))}\n`));
  if (failure.code === 'cancelled') return 130;
  return refused.test(failure.code) ? 2 : 1;
}
