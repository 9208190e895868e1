import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { audit, tolerance, withEarlyIds, withLateMask } from '../src/audit.ts';
import type { AuditSample } from '../src/audit.ts';

interface Recorded extends AuditSample {
  readonly prompt_ids: readonly number[];
  /** The trainer's own logprobs of these ids. */
  readonly recomputed: readonly number[];
  /** Those of the same ids one place early. */
  readonly early: readonly number[];
}

/** Samples of llama.cpp with a user turn in the middle, and the forward passes of PyTorch over them. */
const file = new URL('fixtures/calculator-samples.json', import.meta.url);
const samples = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];
const recomputed = samples.map((sample) => sample.recomputed);

describe('the audit of recorded samples', () => {
  test('the engine and the trainer agree on every sampled token', () => {
    const sampled = samples.flatMap(({ env_mask: mask }) => mask.filter((bit) => bit === 1));
    const { ok, tokens, max, mean } = audit(samples, recomputed);
    expect({ ok, tokens }).toEqual({ ok: true, tokens: sampled.length });
    expect(max).toBeLessThan(tolerance.max);
    expect(mean).toBeLessThan(tolerance.mean);
  });

  test('a mask that is one token late is refused', () => {
    const { ok, max } = audit(samples.map(withLateMask), recomputed);
    expect(ok).toBe(false);
    expect(max).toBeGreaterThan(100 * tolerance.max);
  });

  test('ids that are one place early are refused', () => {
    const early = samples.map(withEarlyIds);
    expect(early.map(({ completion_ids: ids }) => ids.slice(0, -1))).toEqual(
      samples.map(({ completion_ids: ids }) => ids.slice(1)),
    );
    const { ok, mean } = audit(
      early,
      samples.map((sample) => sample.early),
    );
    expect(ok).toBe(false);
    expect(mean).toBeGreaterThan(100 * tolerance.mean);
  });

  test('what the environment said is not looked at', () => {
    const elsewhere = samples.map((sample) => ({
      ...sample,
      logprobs: sample.logprobs.map((value, at) => (sample.env_mask[at] === 1 ? value : -99)),
    }));
    expect(audit(elsewhere, recomputed)).toEqual(audit(samples, recomputed));
  });
});

test.each([
  ['one token far off', [-0.5, -0.6]],
  ['no number', [-0.5, Number.NaN]],
])('%s is no agreement', (_, again) => {
  const sample: AuditSample = {
    completion_ids: [7, 2],
    env_mask: [1, 1],
    logprobs: [-0.5, -0.5],
  };
  expect(audit([sample], [again]).ok).toBe(false);
  expect(() => audit([sample], [[-0.5]])).toThrow(RangeError);
});

test('nothing to compare is no agreement', () => {
  expect(audit([], []).ok).toBe(false);
});
