import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEngine, timeout } from './engine-suite.ts';
import { playOnce, samplesOf } from './play-sums.ts';
import { realEngine } from './real-engine.ts';
import type { RealEngine } from './real-engine.ts';
import { describeVersions } from './versioned-suite.ts';

let engine: RealEngine;
beforeAll(async () => {
  engine = await realEngine('sglang');
}, timeout);
afterAll(() => engine[Symbol.asyncDispose]());

describe('SGLang', () => {
  describeEngine('sglang', () => engine);
  describeVersions(() => engine);

  test(
    'filters whose logprobs it does not tell are refused [train/untold-logprobs]',
    { timeout },
    async () => {
      const played = playOnce(engine, 'What is 3 + 4?', { 'sampling.top_p': 0.9 });
      await expect(played).rejects.toMatchObject({
        code: 'misfit/plan',
        problems: [{ path: 'sampling.top_p' }],
      });
    },
  );

  test(
    'after a temperature logprobs are those sampled with [train/filtered]',
    { timeout },
    async () => {
      const cool = await playOnce(engine, 'What is 3 + 4?', {
        'sampling.temperature': 0.1,
        'sampling.seed': 1,
      });
      const [sample] = samplesOf(cool);
      const raw = await engine.score(sample?.ids ?? [], sample?.start ?? 0);
      const sharper = sample?.logprobs.filter((value, at) => value >= (raw[at] ?? 0)) ?? [];
      expect(sharper.length).toBeGreaterThan((sample?.logprobs.length ?? 0) / 2);
    },
  );
});
