import { probeProvider } from '@vf/interception';
import type { Secrets } from '../secrets.ts';
import type { RunPlan } from './run-plan.ts';

/**
 * Asks each provider once whether it is there, takes the key and knows the model.
 * @throws VfError provider/unreachable, provider/auth, provider/unknown_model
 */
export async function probePlan(
  plan: RunPlan,
  secrets: Secrets,
  signal: AbortSignal,
): Promise<void> {
  const asked = new Set<string>();
  for (const role of Object.values(plan.episode.roles)) {
    const provider = plan.providers[role.name];
    const dialect = plan.dialects.find(({ id }) => id === role.dialect);
    const question = `${provider?.baseUrl} ${role.model}`;
    if (provider === undefined || dialect === undefined || asked.has(question)) continue;
    asked.add(question);
    const key = provider.apiKeyVar === null ? null : (secrets.take(provider.apiKeyVar) ?? null);
    await probeProvider(
      { baseUrl: provider.baseUrl, key, headers: provider.headers, dialect, model: role.model },
      signal,
    );
  }
}
