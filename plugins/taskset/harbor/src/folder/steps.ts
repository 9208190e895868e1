import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutCanary } from '../format/canary.ts';
import { policyOf } from '../format/network.ts';
import type { Machine, Step, TaskConfig, Verifier } from '../format/schema.ts';
import type { MachineSource, StepVerifier, TaskStep } from './harbor-task.ts';
import { composeFile, machineSource } from './image.ts';
import { isFile, isFolder } from './look.ts';

interface Around {
  readonly dir: string;
  readonly config: TaskConfig;
  /** Of the agent's machine. */
  readonly source: MachineSource;
}

/** What is played, in order: the steps, or the task itself as the only one. */
export async function stepsOf(around: Around): Promise<TaskStep[]> {
  const { config } = around;
  if (config.steps.length === 0) return [await stepOf(around, null)];
  return Promise.all(config.steps.map((step) => stepOf(around, step)));
}

async function stepOf(around: Around, step: Step | null): Promise<TaskStep> {
  const { dir, config } = around;
  const folder = step === null ? dir : join(dir, 'steps', step.name);
  const { agent, verifier, environment } = config;
  const baseline = policyOf(environment) ?? { mode: 'public' };
  const text = await readFile(join(folder, 'instruction.md'), 'utf8').catch(() => '');
  return {
    name: step?.name ?? null,
    instruction: withoutCanary(text),
    agentUser: step?.agent.user ?? agent.user ?? null,
    agentTimeout: step?.agent.timeout_sec ?? agent.timeout_sec ?? null,
    agentNetwork: policyOf(step?.agent ?? {}) ?? policyOf(agent) ?? baseline,
    workdirFiles: step === null ? null : await folderOrNull(join(folder, 'workdir')),
    healthcheck: step?.healthcheck ?? null,
    solution: await folderOrNull(join(folder, 'solution'), join(dir, 'solution')),
    collect: [...verifier.collect, ...(step?.verifier.collect ?? [])],
    artifacts: [...config.artifacts, ...(step?.artifacts ?? [])],
    verifier: await verifierOf(around, step, baseline),
    minReward: gateOf(step?.min_reward),
  };
}

async function verifierOf(
  { dir, config, source }: Around,
  step: Step | null,
  baseline: TaskStep['agentNetwork'],
): Promise<StepVerifier> {
  const { verifier } = config;
  const own = step === null ? null : join(dir, 'steps', step.name, 'tests');
  const shared = join(dir, 'tests');
  const machine = step?.verifier.environment ?? verifier.environment ?? config.environment;
  const separate = isSeparate(verifier, step)
    ? await separateImage({ own, shared, machine: verifierMachine(verifier, step), agents: source })
    : null;
  return {
    // A step's limit never falls back to the task's.
    timeout: (step?.verifier ?? verifier).timeout_sec,
    env: { ...verifier.env, ...step?.verifier.env },
    user: step?.verifier.user ?? verifier.user ?? null,
    network:
      policyOf(step?.verifier ?? {}) ??
      policyOf(verifier) ??
      (separate === null ? baseline : (policyOf(machine) ?? { mode: 'public' })),
    tests:
      separate?.bringsTests === true
        ? []
        : await existing([shared, ...(own === null ? [] : [own])]),
    separate: separate === null ? null : { source: separate.source, machine },
  };
}

/** Explicit mode, else a machine of its own; a step may say otherwise than the task. */
function isSeparate(task: Verifier, step: Step | null): boolean {
  const modeOf = (table: Verifier) =>
    table.environment_mode ?? (table.environment === undefined ? null : 'separate');
  return ((step === null ? null : modeOf(step.verifier)) ?? modeOf(task)) === 'separate';
}

/** The table that may name an image; the agent's never counts here. */
function verifierMachine(task: Verifier, step: Step | null): Partial<Machine> {
  return step?.verifier.environment ?? task.environment ?? {};
}

/** The first there is: the step's Dockerfile, a named image, the task's Dockerfile, else the agent's image with the tests. */
async function separateImage(from: {
  readonly own: string | null;
  readonly shared: string;
  readonly machine: Partial<Machine>;
  readonly agents: MachineSource;
}): Promise<{ readonly source: MachineSource; readonly bringsTests: boolean }> {
  const { docker_image: _image, ...unnamed } = from.machine;
  const own = from.own === null ? null : await machineSource(unnamed, from.own);
  const source = own ?? (await machineSource(from.machine, from.shared));
  return source === null
    ? { source: from.agents, bringsTests: false }
    : { source, bringsTests: true };
}

function gateOf(minReward: Step['min_reward']): Readonly<Record<string, number>> {
  return typeof minReward === 'number' ? { reward: minReward } : (minReward ?? {});
}

async function folderOrNull(...candidates: readonly string[]): Promise<string | null> {
  return (await existing(candidates))[0] ?? null;
}

async function existing(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(folders.map(isFolder));
  return folders.filter((_folder, i) => found[i]);
}

/** The faults of a task's files that reading alone would not show. */
export async function missingFiles(dir: string, config: TaskConfig): Promise<string[]> {
  const steps: readonly (Step | null)[] = config.steps.length === 0 ? [null] : config.steps;
  const wanted = steps.flatMap((step) => {
    const folder = step === null ? '' : `steps/${step.name}/`;
    const scripts = [`${folder}tests/test.sh`, ...(step === null ? [] : ['tests/test.sh'])];
    return [[`${folder}instruction.md`], ...(isSeparate(config.verifier, step) ? [] : [scripts])];
  });
  if (config.environment.docker_image === undefined)
    wanted.push(['environment/Dockerfile', `environment/${composeFile}`]);
  const found = await Promise.all(
    wanted.map(async (files) =>
      (await Promise.all(files.map((file) => isFile(join(dir, file))))).includes(true),
    ),
  );
  return wanted.flatMap((files, i) => (found[i] === true ? [] : (files[0] ?? [])));
}
