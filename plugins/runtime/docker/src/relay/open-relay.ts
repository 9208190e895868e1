import type Docker from 'dockerode';
import { attach } from '../engine/attach.ts';
import type { Engine } from '../engine/engine.ts';
import { engineError } from '../engine/engine-error.ts';
import { relayHelper } from './helper.ts';
import { Relay } from './relay.ts';
import type { RelayImage } from './relay-image.ts';
import { wireOver } from './wire.ts';

const memoryBytes = 256 * 1024 * 1024;

/** A relay and the container that is its far end. */
export interface OpenRelay {
  readonly relay: Relay;
  readonly container: Docker.Container;
}

/** Starts a helper container in the network of the box. It ends by itself when we are gone. */
export async function openRelay(
  engine: Engine,
  box: Docker.Container,
  { image, node }: RelayImage,
  labels: Record<string, string>,
): Promise<OpenRelay> {
  try {
    const container = await engine.docker.createContainer({
      Image: image,
      Entrypoint: [node],
      Cmd: ['--eval', `(${relayHelper.toString()})()`],
      User: '65534:65534',
      WorkingDir: '/',
      Labels: labels,
      OpenStdin: true,
      StdinOnce: true,
      HostConfig: {
        NetworkMode: `container:${box.id}`,
        AutoRemove: true,
        ReadonlyRootfs: true,
        CapDrop: ['ALL'],
        SecurityOpt: ['no-new-privileges'],
        PidsLimit: 64,
        Memory: memoryBytes,
        MemorySwap: memoryBytes,
        LogConfig: { Type: 'none', Config: {} },
      },
    });
    const socket = await attach(engine, container);
    const relay: Relay = new Relay(wireOver(socket, (words) => relay.close(words)));
    await container.start();
    return { relay, container };
  } catch (error) {
    throw engineError(error, 'runtime/unreachable', 'the relay of a box could not be started');
  }
}
