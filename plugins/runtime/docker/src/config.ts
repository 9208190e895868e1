import { z } from '@vf/core';
import { addressForms, isAddress } from './engine/address.ts';
import { imageForms, isImageName } from './image/reference.ts';

const positive = z.number().positive();
/** Source: Docker Engine, "Minimum memory limit allowed is 6MB". */
const leastMemory = 6;
/** The engine counts in bytes, as integers of 64 bits; numbers of JSON are exact up to 53. */
const mostMegabytes = 2 ** 33;
const imageName = z
  .string()
  .refine(isImageName, { error: `no engine takes that name of an image: ${imageForms}` });

/** Other containers' networks and the machine's own would let boxes see what is not theirs. */
const network = z
  .string()
  .regex(/^[a-zA-Z0-9][\w.-]*$/, 'the name of a network of the engine: docker network ls')
  .refine((name) => name !== 'host', {
    error:
      'boxes on the network of the machine would reach all its ports; use a network of their own: docker network create',
  });

export const configSchema = z.strictObject({
  host: z
    .string()
    .refine(isAddress, { error: `names no Docker engine; the forms are ${addressForms}` })
    .optional()
    .describe('engine: unix:///path or tcp://host:port; default: DOCKER_HOST, else a local socket'),
  image: imageName.optional().describe('image of tasks that name none'),
  pull: z
    .enum(['missing', 'always', 'never'])
    .default('missing')
    .describe('when to ask the registry for an image'),
  network: network.default('bridge').describe('network of the boxes while it is open'),
  cpu: z.number().min(0.01).optional().describe('cores of a box; default: what the task asks for'),
  memory_mb: z
    .number()
    .min(leastMemory)
    .max(mostMegabytes)
    .optional()
    .describe('memory of a box; default: what the task asks for'),
  max_cpu: z.number().min(0.01).optional().describe('most cores, whatever the task asks for'),
  max_memory_mb: z
    .number()
    .min(leastMemory)
    .max(mostMegabytes)
    .optional()
    .describe('most memory, whatever the task asks for'),
  pids: z.number().int().positive().default(4096).describe('most processes in a box'),
  shm_mb: positive.max(mostMegabytes).default(256).describe('size of /dev/shm'),
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
  relay_image: imageName
    .optional()
    .describe('image with node that carries connections; default: made from the node of vf'),
});

export type Config = z.infer<typeof configSchema>;

/** Also for specs that did not pass the schema. */
export function filledConfig(config: unknown): Config {
  return configSchema.parse(config);
}
