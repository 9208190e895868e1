import { planRun } from '@vf/run';
import type { RunConfig, RunPlan } from '@vf/run';
import type { CommandSession } from '../session.ts';

/** What a trainer says with each request; the plan is checked with a name in its place. */
const servedModel = 'served';

/** The plan of a server: as for a run, but which model answers where is said by each request. */
export function planServe(session: CommandSession, signal: AbortSignal): Promise<RunPlan> {
  const { resolved } = session;
  const config = withServedModel(resolved.config);
  return planRun({ ...session, config, sourceOf: (path) => resolved.sourceOf(path) }, signal);
}

function withServedModel(config: RunConfig): RunConfig {
  const { client } = config;
  const isNamed = client.provider !== null || client.baseUrl !== null;
  return {
    ...config,
    model: config.model ?? servedModel,
    // Each request says whether its calls are relayed or sampled with token ids.
    client: { ...client, type: 'eval', ...(isNamed ? {} : { provider: 'local' }) },
  };
}
