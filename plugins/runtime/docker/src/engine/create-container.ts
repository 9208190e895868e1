import type Docker from 'dockerode';
import type { Engine } from './engine.ts';

interface Created {
  readonly Id: string;
  readonly Warnings?: readonly string[] | null;
}

/** Makes a container; `warn` gets what the engine will not do as asked, which dockerode's own call drops. */
export async function createContainer(
  { docker }: Engine,
  options: Docker.ContainerCreateOptions,
  warn: (message: string) => void = () => {},
): Promise<Docker.Container> {
  const created = await new Promise<Created>((resolve, reject) => {
    docker.modem.dial(
      {
        path: '/containers/create',
        method: 'POST',
        options,
        statusCodes: {
          200: true,
          201: true,
          400: 'bad parameter',
          404: 'no such container',
          406: 'impossible to attach',
          409: 'conflict',
          500: 'server error',
        },
      },
      (error: Error | null, answer: unknown) =>
        error === null ? resolve(answer as Created) : reject(error),
    );
  });
  for (const warning of created.Warnings ?? []) warn(`docker: ${warning}`);
  return docker.getContainer(created.Id);
}
