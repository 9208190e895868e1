import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import type { Engine } from './engine.ts';

/**
 * The standard streams of a container, also of one that has not started. dockerode's own call sends its options as a
 * body too, which Podman gives to the program as input.
 */
export function attach({ docker }: Engine, { id }: Docker.Container): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    docker.modem.dial(
      {
        path: `/containers/${id}/attach?`,
        method: 'POST',
        options: { stream: true, stdin: true, stdout: true, stderr: true },
        // An empty body, said to be one.
        file: Buffer.alloc(0),
        hijack: true,
        isStream: true,
        statusCodes: { 200: true, 404: 'no such container', 409: 'conflict', 500: 'server error' },
      },
      (error: Error | null, socket: unknown) =>
        error === null ? resolve(socket as Duplex) : reject(error),
    );
  });
}
