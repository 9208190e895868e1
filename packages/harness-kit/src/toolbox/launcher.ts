import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** Starts a program of a toolbox folder from wherever the folder lies. */
export interface Launcher {
  /** Below `bin`. */
  readonly name: string;
  readonly program: string;
  /** Name of the loader in `lib`; null where the program starts by itself. */
  readonly loader: string | null;
  /** Before the caller's own arguments; `$root` is the folder. */
  readonly args?: readonly string[];
  /** Shell lines before the start; `$root` is the folder. */
  readonly prelude?: string;
}

/** Writes a script into `dir/bin`; all paths in it are relative, since the folder is moved when it is filled. */
export async function writeLauncher(dir: string, launcher: Launcher): Promise<void> {
  const { name, program, loader, args = [], prelude = '' } = launcher;
  const words = [
    ...(loader === null ? [] : [`"$root/lib/${loader}" --library-path "$root/lib"`]),
    `"$root/${relative(dir, program)}"`,
    ...args.map((arg) => `"${arg}"`),
    '"$@"',
  ];
  const text = `#!/bin/sh\nroot=\${0%/*}/..\n${prelude}exec ${words.join(' ')}\n`;
  const path = join(dir, 'bin', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode: 0o755 });
}
