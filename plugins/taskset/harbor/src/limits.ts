import type { Config } from './config.ts';

type Phase = 'build' | 'agent' | 'verifier';

/**
 * Milliseconds for a phase of a task that says `seconds`: the run's own value before the task's, never over the run's
 * most, times the phase's multiplier or else the common one.
 */
export function limitMs(phase: Phase, seconds: number, config: Config): number {
  const { own, most, multiplier } = settings[phase](config);
  const told = own ?? seconds;
  return Math.min(told, most ?? told) * (multiplier ?? config.timeoutMultiplier) * 1000;
}

/** The same for an agent, which may have no limit: null. */
export function agentLimitMs(seconds: number | null, config: Config): number | null {
  const told = seconds ?? config.agentTimeout ?? config.maxAgentTimeout;
  return told === undefined ? null : limitMs('agent', told, config);
}

interface Settings {
  readonly own?: number | undefined;
  readonly most?: number | undefined;
  readonly multiplier: number | undefined;
}

const settings: Readonly<Record<Phase, (config: Config) => Settings>> = {
  build: ({ buildTimeoutMultiplier: multiplier }) => ({ multiplier }),
  agent: ({ agentTimeout: own, maxAgentTimeout: most, agentTimeoutMultiplier: multiplier }) => ({
    own,
    most,
    multiplier,
  }),
  verifier: (config) => ({
    own: config.verifierTimeout,
    most: config.maxVerifierTimeout,
    multiplier: config.verifierTimeoutMultiplier,
  }),
};
