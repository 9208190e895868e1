import { mkdir, writeFile, chmod } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type {
  Box,
  ExecOptions,
  NetworkPolicy,
  ProgramResult,
  RuntimeApi,
  Spawned,
  ToolboxEntry,
} from '@vf/core';
import { VfError } from '@vf/core/errors';
import { toolboxFolder } from '@vf/runtime-kit';
import { containedPath } from '../files/contained.ts';
import { copyTree } from '../files/copy-tree.ts';
import { readFileWithin } from '../files/read-file.ts';
import type { BoxFolder } from './box-folder.ts';
import { hostEnvironment } from './environment.ts';
import { forgetAtExit } from './exit-hook.ts';
import { hostPlatform } from './platform.ts';
import { Programs } from './programs.ts';
import type { Surroundings } from './programs.ts';

/** A folder and the processes started in it. */
export class SubprocessBox implements Box {
  readonly id: string;
  readonly #folder: BoxFolder;
  readonly #env: Readonly<Record<string, string>>;
  readonly #programs: Programs;
  #stopping: Promise<void> | null = null;
  #isKept = false;

  constructor(id: string, folder: BoxFolder, env: Readonly<Record<string, string>>) {
    this.id = id;
    this.#folder = folder;
    this.#env = env;
    this.#programs = new Programs(id);
  }

  get workdir(): string {
    return this.#folder.workdir;
  }

  get home(): string {
    return this.#folder.home;
  }

  get platform(): RuntimeApi['platform'] {
    return hostPlatform();
  }

  async run(argv: readonly string[], options: ExecOptions = {}): Promise<ProgramResult> {
    return this.#programs.run(argv, this.#surroundings(options), options);
  }

  async spawn(argv: readonly string[], options: ExecOptions = {}): Promise<Spawned> {
    return this.#programs.spawn(argv, this.#surroundings(options), options);
  }

  async read(
    path: string,
    options: { readonly maxBytes?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Uint8Array> {
    return readFileWithin(await this.#contained(path), options.maxBytes, options.signal);
  }

  async write(
    path: string,
    data: Uint8Array | string,
    { mode = 0o644, signal }: { readonly mode?: number; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const target = await this.#contained(path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, data, signal === undefined ? { mode } : { mode, signal });
    // A file that was there keeps its mode, and the umask takes from a new one's.
    await chmod(target, mode);
  }

  async upload(
    ...[localDir, path, signal, options]: Parameters<RuntimeApi['upload']>
  ): Promise<void> {
    await copyTree(resolve(localDir), await this.#contained(path), { ...options, signal });
  }

  async download(
    ...[path, localDir, signal, options]: Parameters<RuntimeApi['download']>
  ): Promise<void> {
    await copyTree(await this.#contained(path), resolve(localDir), { ...options, signal });
  }

  async toolbox(entry: ToolboxEntry, signal: AbortSignal): Promise<string> {
    return toolboxFolder(entry, signal);
  }

  async alive(): Promise<boolean> {
    return this.#stopping === null;
  }

  async reach(url: string): Promise<string> {
    return url;
  }

  async expose(port: number): Promise<string> {
    return `http://127.0.0.1:${port}`;
  }

  async setNetwork(policy: NetworkPolicy): Promise<void> {
    if (policy.mode === 'public') return;
    throw new VfError(
      'misfit/plan',
      `runtime subprocess cannot hold network policy ${policy.mode}`,
      {
        hint: '--runtime docker',
        retryable: false,
      },
    );
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#free();
    return this.#stopping;
  }

  /** The folder; its processes are ended. */
  async keep(): Promise<string> {
    this.#assertStanding();
    const { workdir } = this.#folder;
    this.#folder.keep();
    this.#isKept = true;
    this.#stopping = this.#programs.kill(this.#folder.path);
    await this.#stopping;
    forgetAtExit(this);
    return `cd ${workdir}`;
  }

  cleanup(): void {
    if (this.#isKept) return;
    this.#stopping ??= Promise.resolve();
    this.killSync();
    this.#folder.removeSync();
    forgetAtExit(this);
  }

  /** The processes alone; the folder stays. */
  killSync(): void {
    this.#programs.killSync(this.#folder.path);
  }

  async #free(): Promise<void> {
    await this.#programs.kill(this.#folder.path);
    await this.#folder.remove();
    forgetAtExit(this);
  }

  #contained(path: string): Promise<string> {
    this.#assertStanding();
    return containedPath(this.#folder.path, this.workdir, path);
  }

  #surroundings({ cwd, env, user, service }: ExecOptions): Surroundings {
    this.#assertStanding();
    if (user !== undefined || service !== undefined) {
      throw new VfError('misfit/plan', 'runtime subprocess has neither users nor services', {
        hint: '--runtime docker',
        retryable: false,
      });
    }
    const { home, tmp, workdir } = this.#folder;
    return {
      cwd: resolve(workdir, cwd ?? '.'),
      env: { ...hostEnvironment(), ...this.#env, HOME: home, TMPDIR: tmp, ...env },
    };
  }

  #assertStanding(): void {
    if (this.#stopping === null) return;
    throw new VfError('runtime/box_gone', `box ${this.id} was stopped`, { retryable: false });
  }
}
