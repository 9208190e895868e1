import type {
  Box,
  ExecOptions,
  NetworkPolicy,
  ProgramResult,
  RuntimeApi,
  ServiceApi,
  Spawned,
  ToolboxEntry,
} from '@vf/core';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import { requireServices } from '../compose/ended-services.ts';
import type { Project } from '../compose/project.ts';
import { mainService } from '../compose/read-set.ts';
import { openService, withStop } from '../compose/service.ts';
import type { Owner } from '../files/pack.ts';
import { forgetAtExit, removeAtExit } from '../leftovers/exit-hook.ts';
import { enterCommand, markKept } from '../leftovers/kept.ts';
import { removeSync } from '../leftovers/remove-sync.ts';
import { removeContainer } from '../leftovers/remove.ts';
import type { BoxNetwork } from '../network/box-network.ts';
import { ContainerAccess } from './container-access.ts';

/** What is known of a container once it runs. */
export interface Furnishing {
  readonly workdir: string;
  readonly home: string;
  readonly platform: RuntimeApi['platform'];
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly owner: Owner;
  readonly toolbox: RuntimeApi['toolbox'];
  readonly network: BoxNetwork;
  /** The set that it is `main` of. */
  readonly project: Project | null;
}

/** A container. */
export class DockerBox implements Box {
  readonly id: string;
  readonly address: string;
  readonly workdir: string;
  readonly home: string;
  readonly platform: RuntimeApi['platform'];
  readonly #access: ContainerAccess;
  readonly #given: Furnishing;
  readonly #services = new Map<string, Promise<ServiceApi>>();
  #relayId: string | null = null;
  #stopping: Promise<void> | null = null;
  #isKept = false;

  constructor(address: string, container: Docker.Container, given: Furnishing) {
    this.address = address;
    this.workdir = given.workdir;
    this.home = given.home;
    this.platform = given.platform;
    this.#given = given;
    this.#access = new ContainerAccess(container, `box ${container.id.slice(0, 12)}`, {
      ...given,
      env: () => ({ ...given.env, ...given.network.env }),
    });
    this.id = this.#access.id;
    removeAtExit(this);
  }

  async run(argv: readonly string[], options: ExecOptions = {}): Promise<ProgramResult> {
    return (await this.#at(options)).run(argv, options);
  }

  async spawn(argv: readonly string[], options: ExecOptions = {}): Promise<Spawned> {
    return (await this.#at(options)).spawn(argv, options);
  }

  async read(
    path: string,
    options: { readonly maxBytes?: number; readonly signal?: AbortSignal } = {},
  ): Promise<Uint8Array> {
    return this.#standing().read(path, options);
  }

  async write(
    path: string,
    data: Uint8Array | string,
    options: { readonly mode?: number; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    return this.#standing().write(path, data, options);
  }

  async upload(...args: Parameters<RuntimeApi['upload']>): Promise<void> {
    return this.#standing().upload(...args);
  }

  async download(...args: Parameters<RuntimeApi['download']>): Promise<void> {
    return this.#standing().download(...args);
  }

  async toolbox(entry: ToolboxEntry, signal: AbortSignal): Promise<string | null> {
    this.#standing();
    return this.#given.toolbox(entry, signal);
  }

  async service(name: string, signal?: AbortSignal): Promise<ServiceApi> {
    signal?.throwIfAborted();
    const access = this.#standing();
    let service = this.#services.get(name);
    if (service === undefined) {
      service =
        name === mainService
          ? Promise.resolve(withStop(access, access.container))
          : access.within(() => this.#openService(name));
      this.#services.set(name, service);
      service.catch(() => this.#services.delete(name));
    }
    return service;
  }

  async alive(signal?: AbortSignal): Promise<boolean> {
    return this.#stopping === null && this.#access.life.isRunning(signal);
  }

  async intact(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const { project } = this.#given;
    if (project === null || this.#stopping !== null) return;
    await this.#access.within(() => requireServices(project, 'runtime/box_gone'));
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
    if (this.#isKept) return;
    this.#stopping ??= Promise.resolve();
    removeSync(this.address, [this]);
    forgetAtExit(this);
  }

  async keep(): Promise<string> {
    const { container } = this.#standing();
    const name = await markKept(container);
    this.#isKept = true;
    this.#stopping = Promise.resolve();
    forgetAtExit(this);
    await this.#given.project?.saveLogs().catch(() => {});
    await Promise.all((await this.#closeNetwork()).map(removeContainer));
    return enterCommand(this.address, name, this.workdir);
  }

  containerIds(): readonly string[] {
    return [this.#access.container.id, ...(this.#relayId === null ? [] : [this.#relayId])];
  }

  projects(): readonly string[] {
    const { project } = this.#given;
    return project === null ? [] : [project.name];
  }

  async #free(): Promise<void> {
    const { project } = this.#given;
    const containers = [this.#access.container, ...(await this.#closeNetwork())];
    await Promise.all([project?.remove(), ...containers.map(removeContainer)]);
    forgetAtExit(this);
  }

  /** @returns the relay's container, which is to be removed */
  async #closeNetwork(): Promise<readonly Docker.Container[]> {
    const { network } = this.#given;
    const relay = await network.relayContainer();
    await network.close();
    return relay === null ? [] : [relay];
  }

  async #openService(name: string): Promise<ServiceApi> {
    const { project } = this.#given;
    const container = await project?.container(name);
    if (container) return openService(name, container, () => project?.stopped.add(name));
    throw new VfError('runtime/exec_failed', `box ${this.id} has no service ${name}`, {
      hint: 'services are those of the compose files of the task',
      retryable: false,
    });
  }

  /** Where a program is to run. */
  async #at({ service, signal }: ExecOptions): Promise<Pick<RuntimeApi, 'run' | 'spawn'>> {
    const own = this.#standing();
    return service === undefined || service === mainService ? own : this.service(service, signal);
  }

  async #networked<Value>(
    signal: AbortSignal,
    work: (network: BoxNetwork) => Promise<Value>,
  ): Promise<Value> {
    signal.throwIfAborted();
    const value = await this.#standing().within(() => work(this.#given.network));
    this.#relayId ??= (await this.#given.network.relayContainer())?.id ?? null;
    return value;
  }

  #standing(): ContainerAccess {
    if (this.#stopping === null) return this.#access;
    throw new VfError('runtime/box_gone', `box ${this.id} was stopped`, { retryable: false });
  }
}
