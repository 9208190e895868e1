import type Docker from 'dockerode';
import { engineError, statusOf, wordsOf } from '../engine/engine-error.ts';
import { projectLabel } from '../leftovers/labels.ts';
import type { Links } from '../network/links.ts';
import { requireClosable } from './closable.ts';
import { alwaysClosedLabel, isolation } from './fit-set.ts';
import { noAddresses } from './no-addresses.ts';
import type { Project } from './project.ts';

/**
 * The networks of a set. An engine cannot cut a network off from the outside, so each is replaced by one that is: the
 * services move there with their names and see each other as before, by other addresses.
 */
export class SetLinks implements Links {
  readonly #project: Project;
  #isClosed: boolean;

  constructor(project: Project, isClosed: boolean) {
    this.#project = project;
    this.#isClosed = isClosed;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    await requireClosable(this.#project.engine);
    await this.#replaceAll(true);
    this.#isClosed = true;
  }

  async open(): Promise<void> {
    if (this.#isClosed) await this.#replaceAll(false);
    this.#isClosed = false;
  }

  async #replaceAll(internal: boolean): Promise<void> {
    const { docker } = this.#project.engine;
    const what = `the networks of ${this.#project.name} could not be ${internal ? 'closed' : 'opened'}`;
    try {
      const filters = { label: [`${projectLabel}=${this.#project.name}`] };
      for (const found of await docker.listNetworks({ filters })) {
        if (this.#isKept(found)) continue;
        await this.#replace(docker.getNetwork(found.Id), internal);
      }
    } catch (error) {
      const words = wordsOf(error);
      throw (
        noAddresses(words, `${what}: ${words}`) ?? engineError(error, 'runtime/boot_failed', what)
      );
    }
  }

  /** Closed by the author's own word, whatever the policy says. */
  #isKept({ Labels }: Docker.NetworkInspectInfo): boolean {
    return Labels?.[alwaysClosedLabel] === 'true';
  }

  async #replace(old: Docker.Network, internal: boolean): Promise<void> {
    const { docker } = this.#project.engine;
    const about = await old.inspect();
    const key = about.Labels?.['com.docker.compose.network'] ?? about.Name;
    const next = await docker.createNetwork({
      Name: `${this.#project.name}_${key}_${internal ? 'closed' : 'open'}`,
      Internal: internal,
      Options: internal ? isolation : {},
      Labels: about.Labels ?? {},
    });
    await Promise.all(
      Object.keys(about.Containers ?? {}).map((id) => this.#move(id, about.Name, old, next)),
    );
    await old.remove();
  }

  async #move(id: string, name: string, old: Docker.Network, next: Docker.Network): Promise<void> {
    const container = this.#project.engine.docker.getContainer(id);
    try {
      const { NetworkSettings } = await container.inspect();
      const aliases = NetworkSettings.Networks[name]?.Aliases ?? [];
      await next.connect({ Container: id, EndpointConfig: { Aliases: aliases } });
      await old.disconnect({ Container: id, Force: true });
    } catch (error) {
      // It has ended meanwhile.
      if (statusOf(error) !== 404) throw error;
    }
  }
}
