import type Docker from 'dockerode';
import { keptPrefix, projectLabel } from './labels.ts';

/** Has the engine remember that a box is kept. @returns the container's new name */
export async function markKept(container: Docker.Container): Promise<string> {
  const name = `${keptPrefix}${container.id.slice(0, 12)}`;
  await container.rename({ name });
  return name;
}

const usualSocket = 'unix:///var/run/docker.sock';

/** What a person types to get into a container. */
export function enterCommand(address: string, name: string, workdir: string): string {
  const engine = address === usualSocket ? '' : ` -H ${address}`;
  return `docker${engine} exec -it -w ${quoted(workdir)} ${name} sh`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

/** The name by which a container is kept; null for one that is not. */
export function keptName(names: readonly string[]): string | null {
  // The engine writes a slash before each.
  const found = names.find((name) => name.startsWith(`/${keptPrefix}`));
  return found?.slice(1) ?? null;
}

interface Labelled {
  readonly labels: Readonly<Record<string, string>>;
  readonly keptAs?: string;
}

/** Which of these are kept: containers that have the name for it, and all of a compose project whose `main` has. */
export function keptAmong(things: readonly Labelled[]): (thing: Labelled) => boolean {
  const containers = things.filter(({ keptAs }) => keptAs !== undefined);
  const projects = new Set(containers.flatMap(({ labels }) => labels[projectLabel] ?? []));
  return ({ labels, keptAs }) => keptAs !== undefined || projects.has(labels[projectLabel] ?? '');
}
