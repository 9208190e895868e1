import { posix } from 'node:path';
import type { ExecOptions, ProgramResult, RuntimeApi, ServiceApi, Spawned } from '@vf/core';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import { isEngineGone, statusOf } from '../engine/engine-error.ts';
import { Life } from '../exec/life.ts';
import type { Surroundings } from '../exec/programs.ts';
import { Programs } from '../exec/programs.ts';
import { fetchTree } from '../files/fetch-tree.ts';
import type { Owner } from '../files/pack.ts';
import { putFile, putTree } from '../files/put.ts';
import { readFile } from '../files/read-file.ts';

/** How things are done in one container unless a call says otherwise. */
export interface Habits {
  readonly workdir: string;
  readonly owner: Owner;
  /** Who programs run as; undefined: as the container says. */
  readonly user: string | undefined;
  /** Asked for each program. */
  env(): Readonly<Record<string, string>>;
}

type Access = Omit<ServiceApi, 'stop'> & Pick<RuntimeApi, 'id' | 'workdir'>;

/** Programs and files of one container. */
export class ContainerAccess implements Access {
  readonly id: string;
  readonly workdir: string;
  readonly life: Life;
  readonly container: Docker.Container;
  readonly #habits: Habits;
  readonly #programs: Programs;

  /** @param name as messages call it */
  constructor(container: Docker.Container, name: string, habits: Habits) {
    this.id = container.id.slice(0, 12);
    this.workdir = habits.workdir;
    this.container = container;
    this.#habits = habits;
    this.life = new Life(container, name);
    this.#programs = new Programs(this.id, this.life);
  }

  async run(argv: readonly string[], options: ExecOptions = {}): Promise<ProgramResult> {
    return this.#programs.run(argv, this.#surroundings(options), options);
  }

  async spawn(argv: readonly string[], options: ExecOptions = {}): Promise<Spawned> {
    return this.#programs.spawn(argv, this.#surroundings(options), options);
  }

  read(
    path: string,
    options: { readonly maxBytes?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Uint8Array> {
    return this.within(() => readFile(this.container, this.#absolute(path), options));
  }

  write(
    path: string,
    data: Uint8Array | string,
    options: { readonly mode?: number; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const { owner } = this.#habits;
    const full = { mode: 0o644, ...options, owner };
    return this.within(() => putFile(this.container, this.#absolute(path), data, full));
  }

  upload(...[localDir, path, signal, options]: Parameters<Access['upload']>): Promise<void> {
    const to = this.#absolute(path);
    const { owner } = this.#habits;
    return this.within(() => putTree(this.container, localDir, to, { ...options, owner, signal }));
  }

  download(...[path, localDir, signal, options]: Parameters<Access['download']>): Promise<void> {
    const from = this.#absolute(path);
    return this.within(() => fetchTree(this.container, from, localDir, signal, options));
  }

  /** What the engine refuses because the container is gone is told as that. */
  async within<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (VfError.isInstance(error)) throw error;
      if (isEngineGone(error) || statusOf(error) !== null) throw await this.life.failure(error);
      throw error;
    }
  }

  #surroundings({ cwd, env, user }: ExecOptions): Surroundings {
    const as = user ?? this.#habits.user;
    return {
      cwd: posix.resolve(this.workdir, cwd ?? '.'),
      env: { ...this.#habits.env(), ...env },
      ...(as === undefined ? {} : { user: String(as) }),
    };
  }

  #absolute(path: string): string {
    return posix.resolve(this.workdir, path);
  }
}
