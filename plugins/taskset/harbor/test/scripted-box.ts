import type { Box, ExecOptions, NetworkPolicy, ProgramResult, ServiceApi } from '@vf/core';
import { VfError } from '@vf/core/errors';

export interface Run {
  /** The command line; of a script of ours the script. */
  readonly command: string;
  readonly options: ExecOptions;
}

const ended: ProgramResult = {
  exitCode: 0,
  signal: null,
  stdout: '',
  stderr: '',
  truncated: false,
  timedOut: false,
  oomKilled: false,
  durationMs: 1,
};

/** A box that notes what is asked of it and answers from a script. */
export class ScriptedBox implements Box {
  readonly id = 'box';
  readonly workdir = '/app';
  readonly home = '/home/agent';
  readonly platform = { os: 'linux', arch: 'x64', libc: 'glibc' } as const;
  readonly runs: Run[] = [];
  readonly uploads: (readonly [from: string, to: string])[] = [];
  readonly policies: NetworkPolicy[] = [];
  readonly files = new Map<string, string>();
  readonly folders = new Set<string>();
  stopped = 0;
  readonly #answer: (
    run: Run,
    box: ScriptedBox,
  ) => Promise<Partial<ProgramResult>> | Partial<ProgramResult>;

  constructor(
    answer: (
      run: Run,
      box: ScriptedBox,
    ) => Promise<Partial<ProgramResult>> | Partial<ProgramResult>,
  ) {
    this.#answer = answer;
  }

  async run(argv: readonly string[], options: ExecOptions = {}): Promise<ProgramResult> {
    const run = { command: argv[0] === 'sh' ? argv.slice(2).join(' ') : argv.join(' '), options };
    this.runs.push(run);
    options.signal?.throwIfAborted();
    if (run.command.startsWith('rm -rf'))
      for (const path of this.files.keys()) if (run.command.includes(path)) this.files.delete(path);
    return { ...ended, ...(await this.#answer(run, this)) };
  }

  async read(path: string, { maxBytes = Infinity } = {}): Promise<Uint8Array> {
    const content = this.files.get(path);
    if (content === undefined) throw new VfError('runtime/file_not_found', path);
    if (content.length > maxBytes) throw new VfError('runtime/file_too_large', path);
    return new TextEncoder().encode(content);
  }

  async write(path: string, data: Uint8Array | string): Promise<void> {
    this.files.set(path, typeof data === 'string' ? data : new TextDecoder().decode(data));
  }

  async upload(from: string, to: string): Promise<void> {
    this.uploads.push([from, to]);
  }

  /** Services beside it, by name; `main` is the box itself. */
  readonly services = new Map<string, ScriptedBox>();

  async service(name: string): Promise<ServiceApi> {
    const found = name === 'main' ? this : this.services.get(name);
    if (found === undefined) throw new VfError('runtime/exec_failed', `no service ${name}`);
    return found;
  }

  async setNetwork(policy: NetworkPolicy): Promise<void> {
    this.policies.push(policy);
  }

  async stop(): Promise<void> {
    this.stopped++;
  }

  async download(path: string): Promise<void> {
    if (this.folders.has(path)) return;
    throw new VfError('runtime/file_not_found', path);
  }
  async alive(): Promise<boolean> {
    return this.stopped === 0;
  }
  async toolbox(): Promise<null> {
    return null;
  }
  async reach(url: string): Promise<string> {
    return url;
  }
  async expose(port: number): Promise<string> {
    return `http://127.0.0.1:${port}`;
  }
  async spawn(): Promise<never> {
    throw new VfError('runtime/exec_failed', 'nothing is spawned here');
  }
  cleanup(): void {}
}
