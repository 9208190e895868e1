import { z } from '@vf/core';
import type { Artifact, Message, Resources, StageTimeouts, StandardFields } from '@vf/core';
import type { Config } from './config.ts';
import { policyOf } from './format/network.ts';
import { agentLimitMs, limitMs } from './limits.ts';
import { toRowValue } from './format/env-template.ts';
import type { ArtifactEntry, Machine } from './format/schema.ts';
import type { HarborTask, MachineSource, TaskStep, User } from './folder/harbor-task.ts';

/** What a row of a Harbor task has beside the standard fields. */
export const rowSchema = z.object({
  dir: z.string(),
  /** Of all files of the task: a row is another one when any of them is. */
  digest: z.string(),
  /** The table of that name as it is written, for selections and figures. */
  metadata: z.record(z.string(), z.unknown()),
  keywords: z.array(z.string()),
});

export type Row = z.infer<typeof rowSchema>;

/** A task as a run sees it; hooks read the rest from its folder. */
export function rowOf(
  key: string,
  task: HarborTask,
  digest: string,
  config: Config,
): Row & StandardFields {
  const { environment } = task.config;
  const { workdir, env } = environment;
  const network = policyOf(environment);
  const user = firstUser(task);
  return {
    key,
    name: task.name,
    prompt: promptOf(task),
    ...rowMachine(task.machine),
    ...(workdir === undefined ? {} : { workdir }),
    ...(user === null ? {} : { user }),
    runsEntrypoint: true,
    ...(Object.keys(env).length === 0 ? {} : { env: rowEnv(env) }),
    resources: resourcesOf(environment),
    ...(network === null ? {} : { network }),
    timeouts: timeoutsOf(task, config),
    artifacts: artifactsOf(task),
    ...bringsOf(environment),
    dir: task.dir,
    digest,
    metadata: asJson(task.config.metadata),
    keywords: task.config.task?.keywords ?? [],
  };
}

/** What the agent will be handed; most tasks bring nothing. */
function bringsOf({
  skills_dir: skills,
  mcp_servers: servers,
}: HarborTask['config']['environment']) {
  if (skills === undefined && servers.length === 0) return {};
  return {
    brings: {
      ...(skills === undefined ? {} : { skills: true }),
      ...(servers.length === 0 ? {} : { mcp: servers.map(({ transport }) => transport) }),
    },
  };
}

/** The first instruction, behind the conversation that came before it. */
function promptOf({ earlier, steps }: HarborTask): string | Message[] {
  const instruction = steps[0]?.instruction ?? '';
  return earlier.length === 0 ? instruction : [...earlier, { role: 'user', content: instruction }];
}

/** Whom the box is made for; null for the image's own user. Later steps may have others. */
function firstUser({ steps, imageUser }: HarborTask): User | null {
  return steps[0]?.agentUser ?? imageUser;
}

function rowMachine({ compose, ...machine }: MachineSource): MachineSource {
  if (compose === undefined) return machine;
  const { variables = {} } = compose;
  return { ...machine, compose: { ...compose, variables: rowEnv(variables) } };
}

function rowEnv(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, toRowValue(value)]));
}

/** A row is JSON; TOML has dates, too. */
function asJson(metadata: Row['metadata']): Row['metadata'] {
  return rowSchema.shape.metadata.parse(JSON.parse(JSON.stringify(metadata)));
}

/** What a machine asks for; what it leaves open, or asks none of, is the runtime's default. */
export function resourcesOf({ cpus, memory_mb, storage_mb, gpus }: Machine): Resources {
  return {
    ...(cpus === undefined ? {} : { cpu: cpus }),
    ...(memory_mb ? { memoryMb: memory_mb } : {}),
    ...(storage_mb ? { diskMb: storage_mb } : {}),
    ...(gpus ? { gpus } : {}),
  };
}

/** Limits of whole stages, in milliseconds; those of steps are told turn by turn. */
function timeoutsOf(task: HarborTask, config: Config): StageTimeouts {
  const boot = limitMs('build', task.config.environment.build_timeout_sec, config);
  const [only] = task.steps;
  if (task.isMultiStep || only === undefined) return { boot };
  const { agentTimeout, verifier } = only;
  return {
    boot,
    ...agentLimit(agentTimeout, config),
    ...(verifier.separate === null ? {} : { finalize: finalizeLimit(only, config) }),
    scoring: limitMs('verifier', verifier.timeout, config),
  };
}

function agentLimit(given: number | null, config: Config): Pick<StageTimeouts, 'agent'> {
  const agent = agentLimitMs(given, config);
  return agent === null ? {} : { agent };
}

/** What the artifacts of a separate verifier have to be carried over in, in milliseconds; Harbor sets no limit. */
const carryingMs = 120_000;

/** Milliseconds for the collect hooks and the machine of a verifier. */
function finalizeLimit({ collect, verifier }: TaskStep, config: Config): number {
  const hooks = collect.reduce((sum, hook) => sum + hook.timeout_sec * 1000, 0);
  const build = verifier.separate?.machine.build_timeout_sec ?? 0;
  return hooks + limitMs('build', build, config) + carryingMs;
}

/** Where anything may be left, whatever the task says. */
export const conventionalFolder = '/logs/artifacts';

/** Everything that any step wants kept, each path once. */
function artifactsOf({ steps }: HarborTask): Artifact[] {
  const entries = steps.flatMap(({ artifacts }) => artifacts).map(plainArtifact);
  const isDeclared = entries.some(({ source }) => source === conventionalFolder);
  const all = isDeclared ? entries : [plainArtifact(conventionalFolder), ...entries];
  const places = all.map((entry) => [`${entry.service} ${entry.source}`, kept(entry)] as const);
  return [...new Map(places.toReversed()).values()].toReversed();
}

export interface PlainArtifact {
  readonly source: string;
  /** Patterns as `tar --exclude` takes them. */
  readonly exclude: readonly string[];
  readonly service: string;
  readonly destination?: string;
}

/** What a verifier on a machine of its own gets of a step, each path of each service once. */
export function artifactsToCarry({ artifacts }: TaskStep): PlainArtifact[] {
  const all = [conventionalFolder, ...artifacts].map(plainArtifact);
  return [...new Map(all.map((entry) => [`${entry.service} ${entry.source}`, entry])).values()];
}

function plainArtifact(entry: ArtifactEntry): PlainArtifact {
  if (typeof entry === 'string') return { source: entry, exclude: [], service: 'main' };
  const { destination, ...rest } = entry;
  return { ...rest, ...(destination === undefined ? {} : { destination }) };
}

/** As a row has it: with globs that match where patterns of tar do, anywhere in the path. */
function kept({ source, exclude, service, destination }: PlainArtifact): Artifact {
  return {
    source,
    required: false,
    ...(exclude.length === 0 ? {} : { exclude: exclude.map((pattern) => `**/${pattern}`) }),
    ...(service === 'main' ? {} : { service }),
    ...(destination === undefined ? {} : { destination }),
  };
}
