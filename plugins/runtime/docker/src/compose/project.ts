import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import type { Engine } from '../engine/engine.ts';
import { framesOf } from '../exec/frames.ts';
import { removeProject } from '../leftovers/remove-project.ts';
import { projectLabel, serviceLabel } from '../leftovers/labels.ts';
import { mainService } from './read-set.ts';

/** The containers, networks and volumes of one set. */
export class Project {
  readonly name: string;
  readonly engine: Engine;
  /** Containers of the sidecars that ran once all were up, with their services. */
  readonly running = new Map<string, string>();
  /** Services that the task has stopped. */
  readonly stopped = new Set<string>();
  readonly #logDir: string | undefined;

  /** @param logDir folder of the host for what sidecars log */
  constructor(name: string, engine: Engine, logDir: string | undefined) {
    this.name = name;
    this.engine = engine;
    this.#logDir = logDir;
  }

  /** Also those that have ended. */
  containers(): Promise<readonly Docker.ContainerInfo[]> {
    return containersOf(this.engine.docker, this.name);
  }

  /** The first container of a service; null when there is none. */
  async container(service: string): Promise<Docker.Container | null> {
    const all = await this.containers();
    const found = all.find(({ Labels }) => Labels[serviceLabel] === service);
    return found === undefined ? null : this.engine.docker.getContainer(found.Id);
  }

  /** Saves what the sidecars have logged, then removes all. */
  async remove(): Promise<void> {
    await this.saveLogs().catch(() => {});
    await removeProject(this.engine.docker, this.name);
  }

  async saveLogs(): Promise<void> {
    const dir = this.#logDir;
    if (dir === undefined) return;
    const seen = new Map<string, number>();
    const sidecars = (await this.containers()).filter(
      ({ Labels }) => Labels[serviceLabel] !== mainService,
    );
    if (sidecars.length > 0) await mkdir(dir, { recursive: true });
    for (const { Id, Labels } of sidecars) {
      const service = Labels[serviceLabel] ?? Id;
      const count = (seen.get(service) ?? 0) + 1;
      seen.set(service, count);
      const path = join(dir, count === 1 ? `${service}.log` : `${service}-${count}.log`);
      await writeLog(this.engine.docker.getContainer(Id), path);
    }
  }
}

function containersOf(docker: Docker, project: string): Promise<readonly Docker.ContainerInfo[]> {
  return docker.listContainers({ all: true, filters: { label: [projectFilter(project)] } });
}

/** The last lines of both streams of a container, as text. */
export async function lastLines(container: Docker.Container, lines: number): Promise<string> {
  const log = await container.logs({ stdout: true, stderr: true, tail: lines, follow: false });
  return (await textOf(log)).toString().trim();
}

/** A second set of the same rollout adds to what the first has left. */
async function writeLog(container: Docker.Container, path: string): Promise<void> {
  const options = { stdout: true, stderr: true, timestamps: true, follow: false } as const;
  await appendFile(path, await textOf(await container.logs(options)));
}

async function textOf(log: Buffer): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const { payload } of framesOf(Readable.from([log]))) parts.push(payload);
  return Buffer.concat(parts);
}

function projectFilter(project: string): string {
  return `${projectLabel}=${project}`;
}
