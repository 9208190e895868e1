import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);
const bin = resolve(import.meta.dirname, '../../../apps/eval/bin/vf.js');

const patienceMs = 30_000;

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A real terminal with a shell command in it. */
export interface Terminal {
  /** What stands on the screen, row by row, without blanks at their ends. */
  screen(): Promise<string[]>;
  /** Everything that ever stood on it, scrolled out or not. */
  history(): Promise<string[]>;
  /** Resolves with the screen that `accepts` is content with. @throws with the last one after 30 s */
  until(accepts: (rows: readonly string[]) => boolean): Promise<string[]>;
  resize(size: Size): Promise<void>;
  type(keys: string): Promise<void>;
}

/** Whether there is a tmux to make terminals with. */
export const hasTmux = ((): boolean => {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Starts `vf` with `args` in a terminal of its own; the shell that follows says `exit N` when vf has ended. */
export async function vfInTerminal(args: readonly string[], size: Size): Promise<Terminal> {
  const dir = mkdtempSync(join(tmpdir(), 'vf-terminal-'));
  const socket = join(dir, 'tmux');
  const tmux = async (...command: string[]): Promise<string> =>
    (await run('tmux', ['-S', socket, '-f', '/dev/null', ...command])).stdout;
  onTestFinished(async () => {
    await tmux('kill-server').catch(() => undefined);
    rmSync(dir, { recursive: true, force: true });
  });
  const words = [process.execPath, '--conditions=@vf/source', bin, ...args];
  writeFileSync(
    join(dir, 'start.sh'),
    `trap : INT\nunset CI NO_COLOR\nexport HOME=${dir} VF_CACHE_DIR=${dir} LANG=C.UTF-8\n${words.map(quoted).join(' ')}\necho "exit $?"\nexec sleep 1000\n`,
  );
  await tmux(
    'new-session',
    '-d',
    '-c',
    dir,
    '-x',
    String(size.columns),
    '-y',
    String(size.rows),
    `exec sh ${join(dir, 'start.sh')}`,
  );
  const captured = async (...from: string[]): Promise<string[]> =>
    (await tmux('capture-pane', '-p', ...from)).trimEnd().split('\n');
  const screen = (): Promise<string[]> => captured();
  return {
    screen,
    history: () => captured('-S', '-'),
    async until(accepts) {
      const deadline = Date.now() + patienceMs;
      for (;;) {
        const rows = await screen();
        if (accepts(rows)) return rows;
        if (Date.now() > deadline) throw new Error(`the screen stays at\n${rows.join('\n')}`);
        await sleep(50);
      }
    },
    async resize({ columns, rows }) {
      await tmux('resize-window', '-x', String(columns), '-y', String(rows));
    },
    async type(keys) {
      await tmux('send-keys', keys);
    },
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
