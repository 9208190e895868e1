import type Docker from 'dockerode';
import { engineError, statusOf } from '../engine/engine-error.ts';

/** What a box has beside its loopback. */
export interface Links {
  /** Takes away all ways to the outside. @throws VfError runtime/boot_failed */
  close(): Promise<void>;
  /** Gives them back. @throws VfError runtime/boot_failed */
  open(): Promise<void>;
}

/** Of a box alone: closed, it is on no network at all. */
export class BoxLinks implements Links {
  readonly #docker: Docker;
  readonly #box: Docker.Container;
  readonly #network: string;

  /** @param network what it is on while it is open */
  constructor(docker: Docker, box: Docker.Container, network: string) {
    this.#docker = docker;
    this.#box = box;
    this.#network = network;
  }

  /** The engine takes the interfaces away at once. */
  async close(): Promise<void> {
    try {
      const { NetworkSettings } = await this.#box.inspect();
      for (const name of Object.keys(NetworkSettings.Networks)) {
        await this.#docker.getNetwork(name).disconnect({ Container: this.#box.id, Force: true });
      }
    } catch (error) {
      throw engineError(error, 'runtime/boot_failed', 'the network of a box could not be closed');
    }
  }

  async open(): Promise<void> {
    try {
      await this.#docker.getNetwork(this.#network).connect({ Container: this.#box.id });
    } catch (error) {
      if (statusOf(error) === 403) return;
      throw engineError(error, 'runtime/boot_failed', 'the network of a box could not be opened');
    }
  }
}
