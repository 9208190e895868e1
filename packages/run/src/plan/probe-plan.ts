import type { Dialect } from '@vf/core';
import { VfError } from '@vf/core/errors';
import { probeProvider } from '@vf/interception';
import type { ClientConfig } from '../config/run-config.ts';
import type { Secrets } from '../secrets.ts';
import { addressOf } from './providers.ts';
import type { Provider } from './providers.ts';
import type { RunPlan } from './run-plan.ts';

/**
 * Asks all providers at once, each once, whether they are there, take the key and know the model.
 * @throws VfError provider/unreachable, provider/auth, provider/unknown_model; misfit/plan for an engine of another kind,
 * misfit/tokenizer and misfit/template for another model than that of the tokenizer and the renderer
 */
export async function probePlan(
  plan: RunPlan,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<void> {
  const asked = new Set<string>();
  const checks: (() => Promise<void>)[] = [];
  for (const addressee of addresseesOf(plan)) {
    const { provider, settings, dialect, model, modelFlag } = addressee;
    const address = addressOf(provider, settings, secrets);
    const question = JSON.stringify([address, model]);
    if (asked.has(question)) continue;
    asked.add(question);
    const probe = (baseUrl: string): Promise<void> =>
      probeProvider({ ...address, baseUrl, dialect, model, modelFlag }, signal);
    const urls = urlsOf(addressee);
    checks.push(() => oneAnswers(urls, probe));
  }
  // Whether a server is there at all comes before what it serves.
  for (const { client } of Object.values(plan.episode.roles))
    checks.push(async () => client.check?.(signal));
  for (const result of await Promise.allSettled(checks.map((check) => check())))
    if (result.status === 'rejected') throw result.reason;
}

/** Base URLs of all servers that `probePlan` asks, each once. */
export function askedUrls(plan: RunPlan): string[] {
  return [...new Set(addresseesOf(plan).flatMap(urlsOf))];
}

/**
 * Replicas stand in for each other: the run goes on when one of them answers.
 * @throws what any of them refuses; that the first cannot be reached, when none can
 */
async function oneAnswers(
  urls: readonly string[],
  probe: (baseUrl: string) => Promise<void>,
): Promise<void> {
  const found = await Promise.allSettled(urls.map(probe));
  const failures = found.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  const refusal = failures.find((reason) => !isUnreachable(reason));
  if (refusal !== undefined) throw refusal;
  if (failures.length === urls.length) throw failures[0];
}

function isUnreachable(reason: unknown): boolean {
  return VfError.isInstance(reason) && reason.code === 'provider/unreachable';
}

interface Addressee {
  readonly provider: Provider;
  readonly settings: ClientConfig;
  readonly dialect: Dialect;
  readonly model: string;
  readonly modelFlag: string;
}

function addresseesOf(plan: RunPlan): Addressee[] {
  return [...rolesOf(plan), ...sideModelsOf(plan)];
}

function urlsOf({ provider, settings: { type, train } }: Addressee): string[] {
  return [provider.baseUrl, ...(type === 'train' ? train.replicas : [])];
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
