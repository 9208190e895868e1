import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ComposeSet } from '@vf/core';
import type { Machine } from '../format/schema.ts';
import type { MachineSource } from './harbor-task.ts';
import { isFile } from './look.ts';

export const composeFile = 'docker-compose.yaml';

/**
 * What a machine is made of: a ready image where the table names it, else what the folder's Dockerfile makes; services
 * beside it where the folder has a compose file, which may say all there is. null for nothing.
 */
export async function machineSource(
  machine: Partial<Machine>,
  folder: string,
): Promise<MachineSource | null> {
  const image = machine.docker_image;
  const [hasDockerfile, hasCompose] = await Promise.all([
    isFile(join(folder, 'Dockerfile')),
    isFile(join(folder, composeFile)),
  ]);
  if (image === undefined && !hasDockerfile && !hasCompose) return null;
  return {
    ...(image === undefined ? {} : { image }),
    ...(image === undefined && hasDockerfile ? { build: { context: folder } } : {}),
    ...(hasCompose ? { compose: composeSet(machine, folder) } : {}),
  };
}

/** What Harbor lets compose files name, its older spellings included; values of `env` may be templates. */
function composeSet(
  { docker_image: image, cpus, memory_mb: memory, env = {} }: Partial<Machine>,
  folder: string,
): ComposeSet {
  const logs = { VERIFIER_LOGS_PATH: '/logs/verifier', AGENT_LOGS_PATH: '/logs/agent' };
  const told = {
    MAIN_IMAGE_NAME: `hb__${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`,
    CONTEXT_DIR: folder,
    ...(image === undefined ? {} : { PREBUILT_IMAGE_NAME: image }),
    ...(cpus === undefined ? {} : { CPUS: String(cpus) }),
    ...(memory === undefined ? {} : { MEMORY: `${memory}M` }),
    ...Object.fromEntries(Object.entries(logs).map(([name, path]) => [`ENV_${name}`, path])),
  };
  return { files: [join(folder, composeFile)], variables: { ...told, ...env } };
}

/** Who the last stage of a Dockerfile leaves in charge; `root` where it does not say. */
export async function userOfDockerfile(file: string): Promise<string> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  const lastStage = lines.slice(lines.findLastIndex((line) => /^\s*FROM\s/i.test(line)) + 1);
  const named = lastStage.flatMap((line) => /^\s*USER\s+(\S+)/i.exec(line)?.[1] ?? []);
  return named.at(-1)?.split(':')[0] ?? 'root';
}
