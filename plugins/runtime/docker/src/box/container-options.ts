import type { BoxSpec } from '@vf/core';
import type Docker from 'dockerode';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/engine.ts';
import { limitsOf } from './limits.ts';
import { privilegesOf } from './privileges.ts';
import { toolboxMount } from '../toolbox/mounts.ts';

const mebi = 1024 * 1024;

/** Sleeps whatever the image's own entry point is. `sleep infinity` is not known to every busybox. */
export const keepAlive: readonly string[] = ['sh', '-c', 'while :; do sleep 86400; done'];

/** What the engine is told of a box. */
export async function containerOptions(
  engine: Engine,
  image: string,
  spec: BoxSpec<Config>,
  config: Config,
): Promise<Docker.ContainerCreateOptions> {
  const { memory, cpu, gpus } = limitsOf(spec, config);
  const rights = privilegesOf(config);
  return {
    Image: image,
    ...mainProgram(spec),
    HostConfig: {
      // Reaps what programs leave behind, which would count against the limit of processes.
      Init: true,
      PidsLimit: config.pids,
      ShmSize: Math.round(config.shm_mb * mebi),
      NetworkMode: config.network,
      // For what it says when it ends at once; programs in the box write elsewhere.
      LogConfig: { Type: 'json-file', Config: { 'max-size': '64k', 'max-file': '1' } },
      Mounts: [await toolboxMount(engine)],
      ...(rights === null
        ? {}
        : {
            CapDrop: [...rights.drop],
            CapAdd: [...rights.add],
            SecurityOpt: [...rights.security],
          }),
      // The same with and without swap, so that there is no swap.
      ...(memory === undefined ? {} : { Memory: memory, MemorySwap: memory }),
      ...(cpu === undefined ? {} : { NanoCpus: Math.round(cpu * 1e9) }),
      ...(gpus === 0 ? {} : { DeviceRequests: [{ Count: gpus, Capabilities: [['gpu']] }] }),
    },
  };
}

/** What keeps the container up. An image's own entry point finds the user and the folder that it was written for. */
function mainProgram({ runsEntrypoint, user }: BoxSpec<Config>): Docker.ContainerCreateOptions {
  if (runsEntrypoint === true) return { Cmd: [...keepAlive] };
  return {
    Entrypoint: [...keepAlive],
    Cmd: [],
    WorkingDir: '/',
    ...(user === undefined ? {} : { User: String(user) }),
  };
}
