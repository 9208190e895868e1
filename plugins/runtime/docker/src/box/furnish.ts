import type { Box, BoxSpec } from '@vf/core';
import type Docker from 'dockerode';
import type { Project } from '../compose/project.ts';
import { SetLinks } from '../compose/set-links.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { statOf } from '../files/archive.ts';
import { putFile, putFolder } from '../files/put.ts';
import { toDockerLabels } from '../leftovers/labels.ts';
import { BoxNetwork } from '../network/box-network.ts';
import type { Links } from '../network/links.ts';
import { BoxLinks } from '../network/links.ts';
import { openRelay } from '../relay/open-relay.ts';
import { relayImage } from '../relay/relay-image.ts';
import { DockerBox } from './docker-box.ts';
import {
  certificateVariables,
  certificatesPath,
  hostCertificates,
  hostProxies,
} from './host-trust.ts';
import type { Inside } from './inside.ts';
import { lookInside } from './inside.ts';
import { toolboxFor } from '../toolbox/toolbox.ts';

/** A started container and what it was made of. */
export interface Started {
  readonly engine: Engine;
  readonly container: Docker.Container;
  /** Where its image works. */
  readonly workdir: string;
  /** The set that it is `main` of. */
  readonly project: Project | null;
  readonly about: Docker.ImageInspectInfo;
  readonly image: string;
  readonly spec: BoxSpec<Config>;
  readonly config: Config;
  readonly signal: AbortSignal;
}

const home = '/opt/vf/home';
/** Of images that name none: `/` is no place to work in. */
const defaultWorkdir = '/workspace';
const architectures: Readonly<Record<string, string>> = { amd64: 'x64', '386': 'ia32' };

/** Makes a box of a started container: its folders, its environment, its network. */
export async function furnish(started: Started): Promise<Box> {
  const { engine, container, workdir: own, project, about, image, spec, config, signal } = started;
  const user = spec.user === undefined ? undefined : String(spec.user);
  const inside = await lookInside(container, image, user);
  const workdir = spec.workdir ?? (own === '' || own === '/' ? defaultWorkdir : own);
  const ensureWorkdir = async (): Promise<void> => {
    if ((await statOf(container, workdir)) !== null) return;
    await putFolder(container, workdir, 0o755, inside.owner);
  };
  await Promise.all([putFolder(container, home, 0o700, inside.owner), ensureWorkdir()]);
  const arch = architectures[about.Architecture] ?? about.Architecture;
  const network = networkOf(started, arch);
  const trusted = config.host_trust ? await trustOf(container, network, inside) : {};
  const box = new DockerBox(engine.address, container, {
    workdir,
    home,
    user,
    network,
    project,
    owner: inside.owner,
    platform: { os: about.Os, arch, libc: inside.libc },
    // A user without an entry in passwd, or without its folder, has the root folder for a home.
    env: { ...(inside.home === '/' ? { HOME: home } : {}), ...trusted, ...spec.env },
    toolbox: await toolboxFor(started, inside),
  });
  if (spec.network !== undefined && spec.network.mode !== 'public') {
    await box.setNetwork(spec.network, [], signal);
  }
  return box;
}

function networkOf(started: Started, arch: string): BoxNetwork {
  const { engine, container, spec, config, signal } = started;
  return new BoxNetwork(linksOf(started), async () => {
    const image = await relayImage(engine, config.relay_image, arch, signal);
    return openRelay(engine, container, image, toDockerLabels(spec.labels, 'relay'));
  });
}

function linksOf({ engine, container, project, spec, config }: Started): Links {
  if (project === null) return new BoxLinks(engine.docker, container, config.network);
  const isClosed = (spec.network?.mode ?? 'public') !== 'public';
  return new SetLinks(project, isClosed);
}

async function trustOf(
  container: Docker.Container,
  network: BoxNetwork,
  { owner }: Inside,
): Promise<Record<string, string>> {
  const certificates = await hostCertificates();
  const proxies = await hostProxies((url) => network.reach(url));
  if (certificates === null) return proxies;
  await putFile(container, certificatesPath, certificates, { mode: 0o644, owner });
  return { ...certificateVariables(), ...proxies };
}
