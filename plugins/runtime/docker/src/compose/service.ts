import type { ServiceApi } from '@vf/core';
import type Docker from 'dockerode';
import { ContainerAccess } from '../box/container-access.ts';
import { statusOf } from '../engine/engine-error.ts';
import { outputOf } from '../exec/execution.ts';
import type { Owner } from '../files/pack.ts';

const graceSeconds = 10;
const root: Owner = { uid: 0, gid: 0 };

/** One service beside the box; also of an image without a shell, where only files can be got at. @param onStop before it is stopped */
export async function openService(
  name: string,
  container: Docker.Container,
  onStop: () => void,
): Promise<ServiceApi> {
  const { Config } = await container.inspect();
  const access = new ContainerAccess(container, `service ${name}`, {
    workdir: Config.WorkingDir === '' ? '/' : Config.WorkingDir,
    owner: await ownerIn(container),
    user: undefined,
    env: () => ({}),
  });
  return withStop(access, container, onStop);
}

/** `main` is the box itself. */
export function withStop(
  access: Omit<ServiceApi, 'stop'>,
  container: Docker.Container,
  onStop: () => void = () => {},
): ServiceApi {
  return {
    run: (argv, options) => access.run(argv, options),
    spawn: (argv, options) => access.spawn(argv, options),
    read: (path, options) => access.read(path, options),
    write: (path, data, options) => access.write(path, data, options),
    upload: (...args) => access.upload(...args),
    download: (...args) => access.download(...args),
    async stop(signal) {
      onStop();
      const abort = signal === undefined ? {} : { abortSignal: signal };
      try {
        await container.stop({ t: graceSeconds, ...abort });
      } catch (error) {
        // 304: it has ended already; 404: it is gone.
        if (![304, 404].includes(statusOf(error) ?? 0)) throw error;
      }
    },
  };
}

async function ownerIn(container: Docker.Container): Promise<Owner> {
  try {
    const { stdout } = await outputOf(container, { argv: ['sh', '-c', 'id -u; id -g'] });
    const [uid = NaN, gid = NaN] = stdout.split('\n').map(Number);
    return Number.isInteger(uid) && Number.isInteger(gid) && stdout !== '' ? { uid, gid } : root;
  } catch {
    return root;
  }
}
