import type { Box } from '@vf/core';
import type { MachineSource, StepVerifier, TaskStep } from '../folder/harbor-task.ts';
import { environment, taskOf } from '../play/play.ts';
import type { Ctx } from '../play/play.ts';
import { makeLogFolders } from '../play/begin.ts';
import { resourcesOf } from '../row.ts';

/** A machine for the tests alone. */
export async function openVerifierBox(
  ctx: Ctx,
  step: TaskStep,
  { source, machine }: NonNullable<StepVerifier['separate']>,
): Promise<Box> {
  const { config } = await taskOf(ctx);
  const ownTable =
    config.verifier.environment === undefined ? 'environment' : 'verifier.environment';
  const resolved = (env: Readonly<Record<string, string>>) =>
    environment(ctx, env, `${ownTable}.env`);
  const box = await ctx.openBox({
    ...resolvedSource(source, resolved),
    ...(machine.workdir === undefined ? {} : { workdir: machine.workdir }),
    env: resolved(machine.env),
    resources: resourcesOf(machine),
    network: step.verifier.network,
  });
  await makeLogFolders({ runtime: box, signal: ctx.signal });
  return box;
}

function resolvedSource(
  { compose, ...machine }: MachineSource,
  resolved: (env: Readonly<Record<string, string>>) => Record<string, string>,
): MachineSource {
  if (compose === undefined) return machine;
  return { ...machine, compose: { ...compose, variables: resolved(compose.variables ?? {}) } };
}
