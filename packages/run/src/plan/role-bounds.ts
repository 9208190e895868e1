import type { RetryPolicy, RolePlan, StageLimits } from '@vf/rollout';
import type { RetryConfig, RoleConfig, RunConfig, TimeoutConfig } from '../config/run-config.ts';

/** What a role's rollouts may use and how often they are tried: its own values, else the run's. */
export function boundsOf(
  own: RoleConfig,
  config: RunConfig,
): Pick<RolePlan, 'limits' | 'timeouts' | 'timeoutMultiplier' | 'retries'> {
  const timeout = own.timeout ?? config.timeout;
  return {
    limits: { ...config.limits, ...own.limits },
    timeouts: stageLimits(timeout),
    timeoutMultiplier: timeout.multiplier,
    retries: retryPolicy(own.retries ?? config.retries),
  };
}

function stageLimits(timeout: TimeoutConfig): StageLimits {
  const stretched = Object.entries({
    boot: timeout.boot,
    setup: timeout.setup,
    agent: timeout.rollout,
    finalize: timeout.finalize,
    scoring: timeout.scoring,
  }).flatMap(([stage, ms]) => (ms === null ? [] : [[stage, ms * timeout.multiplier] as const]));
  return Object.fromEntries(stretched);
}

const baseDelayMs = 1_000;
const maxDelayMs = 60_000;

function retryPolicy(retries: RetryConfig): RetryPolicy {
  const rules = retries.rules.map(({ code, statusCode, maxRetries }) => ({
    maxRetries,
    ...(code === undefined ? {} : { code }),
    ...(statusCode === undefined ? {} : { statusCodes: statusCode }),
  }));
  return { maxRetries: retries.maxRetries, rules, baseDelayMs, maxDelayMs };
}
