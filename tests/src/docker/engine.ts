import Docker from 'dockerode';

const docker = new Docker();

/** Path of the socket of the engine here. */
export const engineSocket =
  process.env['DOCKER_HOST']?.replace('unix://', '') ?? '/var/run/docker.sock';

const answers = await docker.ping().then(
  () => true,
  () => false,
);

/** Nobody to ask for containers; in CI that is a failure, elsewhere a reason to skip. */
export const noEngine = !answers && process.env['CI'] !== 'true';

/** Containers that this process made and that are still there. */
export async function containersLeft(): Promise<readonly string[]> {
  const filters = { label: [`vf.maker.pid=${process.pid}`] };
  const left = await docker.listContainers({ all: true, filters });
  return left.map(({ Id }) => Id);
}

/** Containers, networks and volumes that a process has made and that are still there. */
export async function leftBehind(pid = process.pid): Promise<readonly string[]> {
  const filters = { label: [`vf.maker.pid=${pid}`] };
  const [containers, networks, { Volumes: volumes }] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ]);
  return [
    ...containers.map(({ Names }) => Names.join()),
    ...networks.map(({ Name }) => Name),
    ...volumes.map(({ Name }) => Name),
  ];
}
