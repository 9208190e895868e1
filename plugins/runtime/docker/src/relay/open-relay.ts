import { Duplex, Readable } from 'node:stream';
import { VfError } from '@vf/core/errors';
import type Docker from 'dockerode';
import type { Engine } from '../engine/engine.ts';
import { engineError } from '../engine/engine-error.ts';
import { framesOf } from '../exec/frames.ts';
import { relayHelper } from './helper.ts';
import { Relay } from './relay.ts';
import type { RelayImage } from './relay-image.ts';

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
    const socket = await container.attach({
      stream: true,
      stdin: true,
      stdout: true,
      stderr: true,
      hijack: true,
    });
    const relay = new Relay(wireOver(socket as Duplex));
    await container.start();
    return { relay, container };
  } catch (error) {
    throw engineError(error, 'runtime/unreachable', 'the relay of a box could not be started');
  }
}

/** The helper's own words on its standard error break the wire: it has nothing to say there but its end. */
function wireOver(socket: Duplex): Duplex {
  const readable = Readable.from(stdoutOf(socket), { objectMode: false });
  return Duplex.from({ readable, writable: socket });
}

async function* stdoutOf(socket: Duplex): AsyncGenerator<Buffer> {
  for await (const { from, payload } of framesOf(socket)) {
    if (from === 'stderr') {
      throw new VfError('runtime/unreachable', `the relay of a box failed: ${String(payload)}`);
    }
    yield payload;
  }
}
