import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecOptions, ProgramResult, RuntimeApi } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { lastLines } from '@vf/harness-kit';
import type { Command } from '../protocol/answer.ts';

export interface TerminalOptions {
  readonly runtime: RuntimeApi;
  readonly tmux: string;
  /** Of its socket; made when it starts. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly width: number;
  readonly height: number;
}

const session = 'terminus-2';
/** The history is set before the pane is made, since a pane keeps the limit that it was made with. */
const settings = `set -g history-limit 50000
set -g default-terminal xterm-256color
set -g status off
set-environment -g -r LOCPATH
`;
const shell = 'command -v bash >/dev/null && exec bash; exec sh -i';
/** Longer keystrokes are pasted: tmux takes no message over 16 KiB. */
const maxTyped = 16_000;
const maxCapture = 16 << 20;

/** A terminal in the box: tmux with one pane, under a server of its own. */
export class Terminal {
  readonly #options: TerminalOptions;

  private constructor(options: TerminalOptions) {
    this.#options = options;
  }

  /** @throws VfError harness/open_failed when tmux does not start */
  static async start(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    const { runtime, folder, width, height } = options;
    await runtime.write(`${folder}/tmux.conf`, settings, { signal });
    const terminal = new Terminal(options);
    const size = ['-x', String(width), '-y', String(height)];
    const where = ['-d', '-s', session, '-c', runtime.workdir];
    const started = await terminal.#tmux(
      ['-f', 'tmux.conf', 'new-session', ...where, ...size, 'sh', '-c', shell],
      { signal },
    );
    if (started.exitCode === 0) return terminal;
    const message = `the terminal does not start: ${lastLines(started.stderr || started.stdout)}`;
    throw new VfError('harness/open_failed', message);
  }

  /** Types, then waits until the duration has passed since the typing began. @returns is the terminal still there? */
  async type({ keystrokes, duration }: Command, signal: AbortSignal): Promise<boolean> {
    const began = performance.now();
    const typed = await (Buffer.byteLength(keystrokes) > maxTyped
      ? this.#paste(keystrokes, signal)
      : this.#send(keystrokes, signal));
    if (!typed) return false;
    const left = duration * 1000 - (performance.now() - began);
    if (left > 0) await sleep(left, undefined, { signal });
    return true;
  }

  /** All that was shown, oldest line first, the screen last; null when the terminal is gone. */
  async capture(signal: AbortSignal): Promise<string | null> {
    const options = { signal, maxOutputBytes: maxCapture };
    const shown = await this.#tmux(['capture-pane', '-p', '-S', '-', '-t', session], options);
    return shown.exitCode === 0 ? shown.stdout : null;
  }

  /** Ends it with what runs in it. */
  async close(): Promise<void> {
    await this.#tmux(['kill-server'], {});
  }

  async #send(keystrokes: string, signal: AbortSignal): Promise<boolean> {
    if (keystrokes === '') return (await this.capture(signal)) !== null;
    // tmux takes a semicolon at the end of an argument for the end of its command.
    const word = keystrokes.replace(/;$/, '\\;');
    const sent = await this.#tmux(['send-keys', '-t', session, '--', word], { signal });
    return sent.exitCode === 0;
  }

  async #paste(keystrokes: string, signal: AbortSignal): Promise<boolean> {
    const loaded = await this.#tmux(['load-buffer', '-'], { stdin: keystrokes, signal });
    if (loaded.exitCode !== 0) return false;
    const pasted = await this.#tmux(['paste-buffer', '-d', '-t', session], { signal });
    return pasted.exitCode === 0;
  }

  /** The socket by a relative path, since an absolute one may be too long for a socket. */
  #tmux(args: readonly string[], options: ExecOptions): Promise<ProgramResult> {
    const { runtime, tmux, folder, env } = this.#options;
    return runtime.run([tmux, '-S', 'tmux.sock', ...args], { cwd: folder, env, ...options });
  }
}
