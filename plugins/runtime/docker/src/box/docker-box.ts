import { posix, relative, sep } from 'node:path';
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
import { toolboxDir, toolboxFolder } from '@vf/runtime-kit';
import type Docker from 'dockerode';
import { isEngineGone, statusOf } from '../engine/engine-error.ts';
import { Life } from '../exec/life.ts';
import type { Surroundings } from '../exec/programs.ts';
import { Programs } from '../exec/programs.ts';
import { fetchTree } from '../files/fetch-tree.ts';
import type { Owner } from '../files/pack.ts';
import { putFile, putTree } from '../files/put.ts';
import { readFile } from '../files/read-file.ts';
import { forgetAtExit, removeAtExit } from '../leftovers/exit-hook.ts';
import { removeSync } from '../leftovers/remove-sync.ts';
import { removeContainer } from '../leftovers/remove.ts';
import type { BoxNetwork } from '../network/box-network.ts';
import { toolboxInBox } from './toolbox-mount.ts';

/** What is known of a container once it runs. */
export interface Furnishing {
  readonly workdir: string;
  readonly home: string;
  readonly platform: RuntimeApi['platform'];
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly owner: Owner;
  readonly seesToolbox: boolean;
  readonly network: BoxNetwork;
}

/** A container. */
export class DockerBox implements Box {
  readonly id: string;
  readonly address: string;
  readonly workdir: string;
  readonly home: string;
  readonly platform: RuntimeApi['platform'];
  readonly #container: Docker.Container;
  readonly #given: Furnishing;
  readonly #life: Life;
  readonly #programs: Programs;
  #relayId: string | null = null;
  #stopping: Promise<void> | null = null;

  constructor(address: string, container: Docker.Container, given: Furnishing) {
    this.id = container.id.slice(0, 12);
    this.address = address;
    this.workdir = given.workdir;
    this.home = given.home;
    this.platform = given.platform;
    this.#container = container;
    this.#given = given;
    this.#life = new Life(container, `box ${this.id}`);
    this.#programs = new Programs(this.id, this.#life);
    removeAtExit(this);
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
    return this.#within(() => readFile(this.#container, this.#absolute(path), options));
  }

  write(
    path: string,
    data: Uint8Array | string,
    options: { readonly mode?: number; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const { owner } = this.#given;
    const full = { mode: 0o644, ...options, owner };
    return this.#within(() => putFile(this.#container, this.#absolute(path), data, full));
  }

  upload(localDir: string, path: string, signal?: AbortSignal): Promise<void> {
    const { owner } = this.#given;
    const to = this.#absolute(path);
    return this.#within(() => putTree(this.#container, localDir, to, owner, signal));
  }

  download(path: string, localDir: string, signal?: AbortSignal): Promise<void> {
    const from = this.#absolute(path);
    return this.#within(() => fetchTree(this.#container, from, localDir, signal));
  }

  async toolbox(entry: ToolboxEntry, signal: AbortSignal): Promise<string | null> {
    this.#assertStanding();
    if (!this.#given.seesToolbox) return null;
    const folder = await toolboxFolder(entry, signal);
    return posix.join(toolboxInBox, ...relative(toolboxDir(), folder).split(sep));
  }

  async alive(signal?: AbortSignal): Promise<boolean> {
    return this.#stopping === null && this.#life.isRunning(signal);
  }

  async reach(url: string, signal: AbortSignal): Promise<string> {
    return this.#networked(signal, (network) => network.reach(url));
  }

  async expose(port: number, signal: AbortSignal): Promise<string> {
    return this.#networked(signal, (network) => network.expose(port));
  }

  async setNetwork(
    policy: NetworkPolicy,
    routes: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    return this.#networked(signal, (network) => network.setPolicy(policy, routes));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#free();
    return this.#stopping;
  }

  cleanup(): void {
    this.#stopping ??= Promise.resolve();
    removeSync(this.address, this.containerIds());
    forgetAtExit(this);
  }

  containerIds(): readonly string[] {
    return [this.#container.id, ...(this.#relayId === null ? [] : [this.#relayId])];
  }

  async #free(): Promise<void> {
    const relay = await this.#given.network.relayContainer();
    await this.#given.network.close();
    const containers = [this.#container, ...(relay === null ? [] : [relay])];
    await Promise.all(containers.map(removeContainer));
    forgetAtExit(this);
  }

  #surroundings({ cwd, env, user, service }: ExecOptions): Surroundings {
    this.#assertStanding();
    if (service !== undefined) {
      throw new VfError('misfit/plan', `runtime docker has no services, so no ${service}`, {
        retryable: false,
      });
    }
    const { workdir, env: own, user: usual, network } = this.#given;
    const as = user ?? usual;
    return {
      cwd: posix.resolve(workdir, cwd ?? '.'),
      env: { ...own, ...network.env, ...env },
      ...(as === undefined ? {} : { user: String(as) }),
    };
  }

  async #networked<Value>(
    signal: AbortSignal,
    work: (network: BoxNetwork) => Promise<Value>,
  ): Promise<Value> {
    signal.throwIfAborted();
    const value = await this.#within(() => work(this.#given.network));
    this.#relayId ??= (await this.#given.network.relayContainer())?.id ?? null;
    return value;
  }

  /** What the engine refuses because the box is gone is told as that. */
  async #within<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#assertStanding();
    try {
      return await work();
    } catch (error) {
      if (VfError.isInstance(error)) throw error;
      if (isEngineGone(error) || statusOf(error) !== null) throw await this.#life.failure(error);
      throw error;
    }
  }

  #absolute(path: string): string {
    return posix.resolve(this.workdir, path);
  }

  #assertStanding(): void {
    if (this.#stopping === null) return;
    throw new VfError('runtime/box_gone', `box ${this.id} was stopped`, { retryable: false });
  }
}
