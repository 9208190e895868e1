import { z } from '@vf/core';
import type { Artifact, Resources, StageTimeouts, StandardFields } from '@vf/core';
import type { Config } from './config.ts';
import { policyOf } from './format/network.ts';
import { toRowValue } from './format/env-template.ts';
import type { ArtifactEntry, Machine } from './format/schema.ts';
import type { HarborTask, TaskStep } from './folder/harbor-task.ts';

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
): Row & StandardFields & { prompt: string } {
  const { environment, agent } = task.config;
  const { workdir, env } = environment;
  const network = policyOf(environment);
  return {
    key,
    name: task.name,
    prompt: task.steps[0]?.instruction ?? '',
    ...task.image,
    ...(workdir === undefined ? {} : { workdir }),
    ...(agent.user === undefined ? {} : { user: agent.user }),
    ...(Object.keys(env).length === 0 ? {} : { env: rowEnv(env) }),
    resources: resourcesOf(environment),
    ...(network === null ? {} : { network }),
    timeouts: timeoutsOf(task, config),
    artifacts: artifactsOf(task),
    dir: task.dir,
    digest,
    metadata: asJson(task.config.metadata),
    keywords: task.config.task?.keywords ?? [],
  };
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
  const boot = task.config.environment.build_timeout_sec * config.buildTimeoutMultiplier * 1000;
  const [only] = task.steps;
  if (task.isMultiStep || only === undefined) return { boot };
  const { agentTimeout, verifier } = only;
  return {
    boot,
    ...(agentTimeout === null
      ? {}
      : { agent: agentTimeout * config.agentTimeoutMultiplier * 1000 }),
    ...(verifier.separate === null ? {} : { finalize: finalizeLimit(only, config) }),
    scoring: verifier.timeout * config.verifierTimeoutMultiplier * 1000,
  };
}

/** What the artifacts of a separate verifier have to be carried over in, in milliseconds; Harbor sets no limit. */
const carryingMs = 120_000;

/** Milliseconds for the collect hooks and the machine of a verifier. */
function finalizeLimit({ collect, verifier }: TaskStep, config: Config): number {
  const hooks = collect.reduce((sum, hook) => sum + hook.timeout_sec * 1000, 0);
  const build = (verifier.separate?.machine.build_timeout_sec ?? 0) * config.buildTimeoutMultiplier;
  return hooks + build * 1000 + carryingMs;
}

/** Where anything may be left, whatever the task says. */
const conventional = '/logs/artifacts';

/** Everything that any step wants kept, each path once. */
function artifactsOf({ steps }: HarborTask): Artifact[] {
  const entries = [conventional, ...steps.flatMap(({ artifacts }) => artifacts)].map(plainArtifact);
  return [
    ...new Map(entries.toReversed().map((entry) => [entry.source, entry])).values(),
  ].toReversed();
}

export function plainArtifact(entry: ArtifactEntry): Artifact {
  if (typeof entry === 'string') return { source: entry, required: false };
  const { source, exclude } = entry;
  return { source, required: false, ...(exclude.length === 0 ? {} : { exclude }) };
}
