import { startInterception } from '@vf/interception';
import type { InterceptionServer } from '@vf/interception';
import { toolHost } from '@vf/toolset';
import type { ToolHost } from '@vf/core';
import type { OpenedRun } from '../open-run.ts';
import type { RunPlan } from '../plan/run-plan.ts';

/** The servers that a run's rollouts share. */
export interface RunServices {
  readonly interception: InterceptionServer;
  readonly toolHost: ToolHost;
  close(): Promise<void>;
}

/** @throws VfError interception/failed when no port can be listened on */
export async function startServices(
  plan: RunPlan,
  { writer }: Pick<OpenedRun, 'writer'>,
): Promise<RunServices> {
  const { multiplex, earlyHead, clientGoneGrace } = plan.config.interception;
  const limits = { rolloutsPerServer: multiplex, earlyHead, clientGoneGrace };
  const interception = await startInterception({
    dialects: plan.dialects,
    limits,
    log: writer.log('run'),
  });
  return { interception, toolHost, close: () => interception.close() };
}
