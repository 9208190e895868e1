import { z } from '@vf/core';
import { addressForms, isAddress } from './engine/address.ts';

const positive = z.number().positive();

export const configSchema = z.strictObject({
  host: z
    .string()
    .refine(isAddress, { error: `names no Docker engine; the forms are ${addressForms}` })
    .optional()
    .describe('engine: unix:///path or tcp://host:port; default: DOCKER_HOST, else a local socket'),
  image: z.string().optional().describe('image of tasks that name none'),
  pull: z
    .enum(['missing', 'always', 'never'])
    .default('missing')
    .describe('when to ask the registry for an image'),
  network: z.string().default('bridge').describe('network of the boxes while it is open'),
  cpu: positive.optional().describe('cores of a box; default: what the task asks for'),
  memory_mb: positive.optional().describe('memory of a box; default: what the task asks for'),
  pids: z.number().int().positive().default(4096).describe('most processes in a box'),
  shm_mb: positive.default(256).describe('size of /dev/shm'),
  hardened: z
    .boolean()
    .default(false)
    .describe('takes rights from boxes that few tasks need: sudo, raw sockets, device files'),
  host_trust: z
    .boolean()
    .default(false)
    .describe('gives boxes the certificates and proxies of this machine'),
  trust_compose: z
    .boolean()
    .default(false)
    .describe('lets compose files mount host paths, take privileges and use host networks'),
  relay_image: z
    .string()
    .optional()
    .describe('image with node that carries connections; default: made from the node of vf'),
});

export type Config = z.infer<typeof configSchema>;

/** Also for specs that did not pass the schema. */
export function filledConfig(config: unknown): Config {
  return configSchema.parse(config);
}
