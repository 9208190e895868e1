import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEngine, timeout } from './engine-suite.ts';
import { playOnce, playSums, samplesOf } from './play-sums.ts';
import { realEngine } from './real-engine.ts';
import type { RealEngine } from './real-engine.ts';
import { describeVersions } from './versioned-suite.ts';

let engine: RealEngine;
beforeAll(async () => {
  engine = await realEngine('vllm');
}, timeout);
afterAll(() => engine[Symbol.asyncDispose]());

describe('vLLM, token-in', () => {
  describeEngine('vllm', () => engine);
  describeVersions(() => engine);

  test(
    'under a temperature and filters logprobs are those sampled with [train/filtered]',
    { timeout },
    async () => {
      const filtered = { 'sampling.temperature': 0.7, 'sampling.top_k': 1 };
      const [sample] = samplesOf(await playOnce(engine, 'What is 3 + 4?', filtered));
      // One candidate is left of each, or two that half precision cannot tell apart.
      const told = new Set(
        sample?.logprobs.map((value) => value.toFixed(4).replace('-0.0000', '0.0000')),
      );
      expect(['0.0000', '-0.6931']).toEqual(expect.arrayContaining([...told]));
    },
  );

  test('raw logprobs under a filter are refused [train/untold-logprobs]', { timeout }, async () => {
    const raw = { 'client.logprobs': 'raw', 'sampling.top_p': 0.9 };
    await expect(playOnce(engine, 'What is 3 + 4?', raw)).rejects.toMatchObject({
      code: 'misfit/plan',
      problems: [{ path: 'sampling.top_p', fix: expect.stringContaining('processed') as string }],
    });
  });
});

describe('vLLM, its own chat', () => {
  const chat = { 'client.engine': 'vllm-chat' };

  test.each(
    ['chat-completions', 'responses', 'messages'].flatMap((dialect) =>
      [false, true].map((stream) => [dialect, stream] as const),
    ),
  )(
    'over %s (streamed: %s) every turn has exact tokens without spans [train/chat]',
    { timeout },
    async (dialect, stream) => {
      const { result, episodes } = await playSums(engine, {
        ...chat,
        'client.dialects': [dialect],
        'harness.stream': stream,
      });
      expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
      for (const trace of episodes.flatMap(({ traces }) => traces)) {
        const samples = samplesOf(trace);
        expect(samples).toHaveLength(2);
        for (const { ids, start, logprobs } of samples) {
          const again = await engine.score(ids, start);
          const apart = logprobs.map((value, at) => Math.abs(value - (again[at] ?? Number.NaN)));
          expect(Math.max(...apart)).toBeLessThan(0.35);
        }
        const prompt = trace.graph.nodes.find(({ message }) => message.role === 'user');
        expect(prompt?.tokens?.ids ?? []).toHaveLength(0);
      }
    },
  );

  test('its prompt is the one that the renderer writes [train/chat]', { timeout }, async () => {
    const config = { num_examples: 1 };
    const own = (await playSums(engine, { ...config, ...chat })).trace('sum-0');
    const ours = (await playSums(engine, config)).trace('sum-0');
    const [first, same] = [samplesOf(own)[0], samplesOf(ours)[0]];
    expect(first?.ids.slice(0, first.start)).toEqual(same?.ids.slice(0, same.start));
  });

  test(
    'which ids there are and how many vLLM tells, as its tokenizer does [train/context-length]',
    { timeout },
    async () => {
      for (const tokenizer of [undefined, engine.tokenizer]) {
        const config = { ...chat, 'client.tokenizer': tokenizer };
        const trace = await playOnce(engine, 'What is 3 + 4?', config);
        expect(samplesOf(trace)).toHaveLength(1);
        expect(trace.graph.space).toEqual({ vocabulary: 49_152, context: 2048 });
      }
    },
  );

  test('a prompt that is too long is named [train/overlong]', { timeout }, async () => {
    const trace = await playOnce(engine, 'seven '.repeat(3000), chat);
    expect(trace.calls[0]?.error).toMatchObject({ code: 'context_length' });
  });
});
