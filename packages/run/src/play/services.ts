import { startInterception } from '@vf/interception';
import type { InterceptionServer } from '@vf/interception';
import { toolHost } from '@vf/toolset';
import type { ToolHost } from '@vf/core';
import type { OpenedRun } from '../open/opened-run.ts';
import type { RunPlan } from '../plan/run-plan.ts';
import type { Secrets } from '../secrets.ts';
import { openSideModels } from '../side/open-side-models.ts';
import type { SideModels } from '@vf/rollout';

/** The servers that a run's rollouts share. */
export interface RunServices {
  readonly interception: InterceptionServer;
  readonly toolHost: ToolHost;
  readonly sideModels: SideModels;
  close(): Promise<void>;
}

/** @throws VfError interception/failed when no port can be listened on; store/* when judges' answers cannot be kept */
export async function startServices(
  plan: RunPlan,
  { writer }: Pick<OpenedRun, 'writer'>,
  secrets?: Secrets,
): Promise<RunServices> {
  const { multiplex, earlyHead, clientGoneGrace } = plan.config.interception;
  const limits = { rolloutsPerServer: multiplex, earlyHead, clientGoneGrace };
  const side = await openSideModels(plan, writer, secrets === undefined ? {} : { secrets });
  const interception = await startInterception({
    dialects: plan.dialects,
    limits,
    log: writer.log('run'),
  });
  const close = async (): Promise<void> => {
    await interception.close();
    await side.close();
  };
  return { interception, toolHost, sideModels: side.sideModels, close };
}
