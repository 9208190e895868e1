import type { Dialect } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { probeProvider } from '@vf/interception';
import type { ClientConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { addressOf } from './providers.ts';
import type { Provider } from './providers.ts';
import type { RunPlan } from './run-plan.ts';

/**
 * Asks each provider once whether it is there, takes the key and knows the model.
 * @throws VfError provider/unreachable, provider/auth, provider/unknown_model; misfit/plan for an engine of another kind
 */
export async function probePlan(
  plan: RunPlan,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<void> {
  const asked = new Set<string>();
  for (const addressee of [...rolesOf(plan), ...sideModelsOf(plan)]) {
    const { provider, settings, dialect, model, modelFlag } = addressee;
    const address = addressOf(provider, settings, secrets);
    const question = JSON.stringify([address, model]);
    if (asked.has(question)) continue;
    asked.add(question);
    await probeProvider({ ...address, dialect, model, modelFlag }, signal);
  }
  for (const { provider, settings } of rolesOf(plan))
    await probeEngine(settings, provider, secrets, signal);
}

/** Is what answers at the address of a role that trains an engine of the kind that its config names? */
async function probeEngine(
  settings: ClientConfig,
  provider: Provider,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<void> {
  const { engine, replicas } = settings.train;
  if (settings.type === 'eval' || engine === null) return;
  // Engines are loaded by those who train.
  const { checkEngine } = await import('@vf/train');
  await checkEngine(engine, { ...addressOf(provider, settings, secrets), replicas }, signal);
}

interface Addressee {
  readonly provider: Provider;
  readonly settings: ClientConfig;
  readonly dialect: Dialect;
  readonly model: string;
  readonly modelFlag: string;
}

function rolesOf({ config, episode, providers, dialects }: RunPlan): Addressee[] {
  return Object.values(episode.roles).flatMap(({ name, model, dialect: id }) => {
    const provider = providers[name];
    const dialect = dialects.find((one) => one.id === id);
    const modelFlag = config.roles[name]?.model === undefined ? '-m' : `--roles.${name}.model`;
    return provider === undefined || dialect === undefined
      ? []
      : [
          {
            provider,
            dialect,
            model,
            modelFlag,
            settings: config.roles[name]?.client ?? config.client,
          },
        ];
  });
}

function sideModelsOf({ sideModels }: RunPlan): Addressee[] {
  return sideModels.flatMap(({ declared, connection, model }) =>
    VfError.isInstance(connection)
      ? []
      : [{ ...connection, model, modelFlag: `--judges.${declared.name}.model` }],
  );
}
