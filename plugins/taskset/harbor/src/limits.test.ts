import { expect, test } from 'vitest';
import { configSchema } from './config.ts';
import { agentLimitMs, limitMs } from './limits.ts';

test.each([
  [{}, 60, 60_000],
  [{ verifierTimeout: 10 }, 60, 10_000],
  [{ maxVerifierTimeout: 10 }, 60, 10_000],
  [{ maxVerifierTimeout: 90 }, 60, 60_000],
  [{ verifierTimeout: 90, maxVerifierTimeout: 80, timeoutMultiplier: 2 }, 60, 160_000],
  [{ timeoutMultiplier: 2, verifierTimeoutMultiplier: 3 }, 60, 180_000],
])('%j of %d s', (given, seconds, expected) => {
  expect(limitMs('verifier', seconds, configSchema.parse(given))).toBe(expected);
});

test('an agent without a limit has the run’s', () => {
  expect(agentLimitMs(null, configSchema.parse({}))).toBeNull();
  expect(agentLimitMs(null, configSchema.parse({ maxAgentTimeout: 5 }))).toBe(5000);
  expect(agentLimitMs(9, configSchema.parse({ maxAgentTimeout: 5 }))).toBe(5000);
  expect(agentLimitMs(9, configSchema.parse({ agentTimeout: 7 }))).toBe(7000);
  expect(limitMs('build', 9, configSchema.parse({ buildTimeoutMultiplier: 2 }))).toBe(18_000);
});
