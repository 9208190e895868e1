import type { Engine } from './engine.ts';
import { engineError } from './engine-error.ts';

/**
 * Which limits of boxes the engine does not keep: a rootless one keeps none with the older control groups, others lack
 * what the kernel or its delegation does not give.
 * @returns a sentence for the user, if there is something to say
 * @throws VfError runtime/engine_gone
 */
export async function unkeptLimits(engine: Engine): Promise<readonly string[]> {
  const info = await ask(engine);
  // Podman says that it is rootless, and in this case limits all the same.
  const keepsNone = info.Rootless === true && info.CgroupVersion === '1';
  const lacks = [
    ...(info.MemoryLimit === false || keepsNone ? ['memory'] : []),
    ...(info.CpuCfsQuota === false || keepsNone ? ['cores'] : []),
    ...(info.PidsLimit === false || keepsNone ? ['processes'] : []),
  ];
  if (lacks.length === 0) return [];
  const why = 'a rootless engine needs cgroup 2 with delegation for them';
  return [`the engine at ${engine.address} keeps no limits of ${lacks.join(', ')}: ${why}`];
}

interface Info {
  readonly MemoryLimit?: boolean;
  readonly CpuCfsQuota?: boolean;
  readonly PidsLimit?: boolean;
  readonly CgroupVersion?: string;
  readonly Rootless?: boolean;
}

async function ask({ docker, address }: Engine): Promise<Info> {
  try {
    return (await docker.info()) as Info;
  } catch (error) {
    throw engineError(error, 'runtime/engine_gone', `the engine at ${address}`);
  }
}
