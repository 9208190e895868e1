import { z } from '@vf/core';
import { mcpServer } from './mcp-server.ts';
import { hostsNeedAllowlist, networkKeys } from './network.ts';

const allowlistNeeded = {
  message: 'needs network_mode = "allowlist" beside it',
  path: ['allowed_hosts'],
};

function isNumeric(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
}

/** Numbers may be written as text in old tasks. */
const number = z.preprocess(
  (value) => (typeof value === 'string' && isNumeric(value) ? Number(value) : value),
  z.number(),
);
const seconds = number.pipe(z.number().positive());
const count = number.pipe(z.int().nonnegative());
const env = z.record(z.string(), z.string()).default({});
const user = z.union([z.string().min(1), z.int().nonnegative()]).optional();
const absolute = z
  .string()
  .refine(
    (path) => path.startsWith('/') && !path.split('/').includes('..'),
    'must be a path from the root, without ..',
  );

const artifact = z.union([
  absolute,
  z.object({
    source: absolute,
    destination: z
      .string()
      .refine((path) => !/^\/|\\|(?:^|\/)\.\.(?:\/|$)/.test(path), 'a path below artifacts/')
      .refine((path) => path !== 'manifest.json', 'manifest.json is taken')
      .optional(),
    exclude: z.array(z.string()).default([]),
    service: z.string().default('main'),
  }),
]);

const healthcheck = z.object({
  command: z.string().min(1),
  interval_sec: seconds.default(5),
  timeout_sec: seconds.default(30),
  start_period_sec: number.pipe(z.number().nonnegative()).default(0),
  start_interval_sec: seconds.default(5),
  retries: number.pipe(z.int().positive()).default(3),
});

const machine = z
  .object({
    build_timeout_sec: seconds.default(600),
    docker_image: z.string().min(1).optional(),
    os: z
      .string()
      .toLowerCase()
      .pipe(z.enum(['linux', 'windows']))
      .default('linux'),
    cpus: number.pipe(z.number().positive()).optional(),
    memory_mb: count.optional(),
    storage_mb: count.optional(),
    gpus: count.optional(),
    gpu_types: z.array(z.string()).optional(),
    tpu: z.looseObject({}).optional(),
    ...networkKeys,
    env,
    workdir: z.string().min(1).optional(),
    healthcheck: healthcheck.optional(),
    mcp_servers: z.array(mcpServer).default([]),
    skills_dir: z.string().optional(),
  })
  .refine(hostsNeedAllowlist, allowlistNeeded);

const agent = z
  .object({ timeout_sec: seconds.optional(), user, ...networkKeys })
  .refine(hostsNeedAllowlist, allowlistNeeded);

const collect = z.object({
  command: z.string().min(1),
  service: z.string().default('main'),
  timeout_sec: seconds.default(60),
  user,
});

const verifier = z
  .object({
    timeout_sec: seconds.default(600),
    env,
    user,
    ...networkKeys,
    environment_mode: z.enum(['shared', 'separate']).optional(),
    environment: machine.optional(),
    collect: z.array(collect).default([]),
  })
  .refine(hostsNeedAllowlist, allowlistNeeded)
  .refine((table) => table.environment_mode !== 'shared' || table.environment === undefined, {
    message: 'is "shared", yet the verifier has an environment of its own',
    path: ['environment_mode'],
  });

const part = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const taskName = z.string().refine((name) => {
  const parts = name.split('/');
  return parts.length === 2 && parts.every((one) => part.test(one) && !one.includes('..'));
}, 'must be org/name, of letters, digits and . _ -');

function isFolderName(name: string): boolean {
  return /^[^\p{Cc}<>:"/\\|?*]+$/u.test(name) && !/[. ]$/.test(name);
}

function haveOwnNames(steps: readonly { readonly name: string }[]): boolean {
  const names = steps.map(({ name }) => name.normalize('NFC').toLowerCase());
  return new Set(names).size === names.length;
}

const step = z.object({
  name: z.string().refine(isFolderName, 'must be a name that every system takes for a folder'),
  agent: agent.prefault({}),
  verifier: verifier.prefault({}),
  min_reward: z.union([number, z.record(z.string(), number)]).optional(),
  healthcheck: healthcheck.optional(),
  artifacts: z.array(artifact).default([]),
});

/** `task.toml` of schema 1.0 to 1.4 with the old spellings already replaced; unknown keys are left out. */
export const taskSchema = z.object({
  schema_version: z.string().default('1.4'),
  source: z.string().optional(),
  artifacts: z.array(artifact).default([]),
  multi_step_reward_strategy: z.enum(['mean', 'final']).default('mean'),
  metadata: z.record(z.string(), z.unknown()).default({}),
  task: z
    .object({
      name: taskName,
      version: z.string().min(1).optional(),
      description: z.string().default(''),
      keywords: z.array(z.string()).default([]),
      authors: z.array(z.looseObject({ name: z.string() })).default([]),
    })
    .optional(),
  agent: agent.prefault({}),
  verifier: verifier.prefault({}),
  environment: machine.prefault({}),
  solution: z.object({ env }).prefault({}),
  steps: z.array(step).refine(haveOwnNames, 'two steps share a name').default([]),
});

export type TaskConfig = z.infer<typeof taskSchema>;
export type Machine = TaskConfig['environment'];
export type Verifier = TaskConfig['verifier'];
export type Step = TaskConfig['steps'][number];
export type Healthcheck = NonNullable<Machine['healthcheck']>;
export type ArtifactEntry = TaskConfig['artifacts'][number];
