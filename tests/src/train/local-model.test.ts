import type { EpisodeRecord } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { trlRows } from '@vf/export-trl';
import { LocalModelUnavailable } from '@vf/local-model';
import { loadTokenizer, rendererFor } from '@vf/renderers';
import { afterAll, describe, expect, test } from 'vitest';
import { describeEngine, timeout } from './engine-suite.ts';
import { playOnce, playSums, samplesOf } from './play-sums.ts';
import { realEngine } from './real-engine.ts';
import type { RealEngine } from './real-engine.ts';

const started = await realEngine('llama.cpp').catch((error: unknown) => {
  if (LocalModelUnavailable.isInstance(error) && error.reason === 'no-python') return null;
  throw error;
});

afterAll(() => started?.[Symbol.asyncDispose]());

/** Only asked for where the model runs. */
function engine(): RealEngine {
  if (started === null) throw new Error('no Python, no model');
  return started;
}

describe.runIf(started !== null)('training with a real llama.cpp', () => {
  describeEngine('llama.cpp', engine);

  test('its prompt is the one that the engine’s template writes [train/exact]', async () => {
    const { trace } = await playSums(engine(), { num_examples: 1 });
    const [first] = samplesOf(trace('sum-0'));
    const templated = await engine().ask('/apply-template', {
      messages: [{ role: 'user', content: 'What is 0 + 0?' }],
    });
    const content = templated['prompt'];
    const { tokens } = await engine().ask('/tokenize', { content, parse_special: true });
    expect(first?.ids.slice(0, first.start)).toEqual(tokens);
  });

  test(
    'a temperature and filters give the probabilities that were sampled with [train/filtered]',
    { timeout },
    async () => {
      const filtered = { 'sampling.temperature': 0.7, 'sampling.top_k': 1 };
      const [sample] = samplesOf(await playOnce(engine(), 'What is 0 + 0?', filtered));
      // One candidate is left of each: it was certain.
      expect(sample?.logprobs.every((value) => value === 0)).toBe(true);
    },
  );

  test.each(['chat-completions', 'responses', 'messages'])(
    'over %s it samples the same again under the same seed, alone and without its cache [train/seeds]',
    { timeout },
    async (dialect) => {
      const alone = { num_examples: 1, 'sampling.cache_prompt': false };
      const sampled = async (seed: number) => {
        const config = { ...alone, 'client.dialects': [dialect], 'sampling.seed': seed };
        const { trace } = await playSums(engine(), config);
        return samplesOf(trace('sum-0'));
      };
      const first = await sampled(5);
      expect(await sampled(5)).toEqual(first);
      expect(await sampled(6)).not.toEqual(first);
    },
  );

  test(
    'characters of several tokens have no logprobs, and are named [train/no-sample]',
    { timeout },
    async () => {
      const asked = 'Repeat this: 🦄🦄🦄🦄🦄🦄🦄🦄🦄🦄🦄🦄';
      const greedy = {
        'sampling.top_k': 1,
        'sampling.max_tokens': 40,
        'harness.stream': false,
        'retries.max_retries': 3,
      };
      const trace = await playOnce(engine(), asked, greedy);
      // Sampled again until it can be told, it would be another policy's reply.
      expect(trace.calls).toHaveLength(1);
      expect(trace.errors).toMatchObject([{ type: 'training/no_sample' }]);
      const error = trace.calls[0]?.error;
      expect(error).toMatchObject({
        code: 'no_sample',
        message: expect.stringContaining('characters that take several') as string,
      });
      expect(samplesOf(trace)).toEqual([]);
    },
  );

  test('a reply ends where the context does [train/context-length]', { timeout }, async () => {
    const props = await fetch(new URL('/props', engine().url));
    const { default_generation_settings: settings } = (await props.json()) as {
      default_generation_settings: { n_ctx: number };
    };
    const size = settings.n_ctx;
    const asked = 'Say a thousand times: '.concat('again '.repeat(size - 80));
    const long = { 'sampling.max_tokens': 500, 'sampling.top_k': 1 };
    const trace = await playOnce(engine(), asked, long);
    const [sample] = samplesOf(trace);
    expect(trace.isTruncated).toBe(true);
    expect(sample?.ids).toHaveLength(size - 1);
  });

  test('traces become samples of TRL [train/exported]', { timeout }, async () => {
    const { episodes } = await playSums(engine());
    const omitted: unknown[] = [];
    const records = (async function* (): AsyncGenerator<EpisodeRecord> {
      for (const episode of episodes) yield encodeEpisode(episode);
    })();
    const rows = await Array.fromAsync(
      trlRows({ episodes: records, omit: (entry) => omitted.push(entry) }),
    );
    expect(omitted).toEqual([]);
    expect(rows).toHaveLength(3);
    for (const { completion_ids: ids, env_mask: mask, logprobs } of rows) {
      expect([mask.length, logprobs.length]).toEqual([ids.length, ids.length]);
      expect(mask.at(-1)).toBe(1);
      expect(mask).toContain(0);
    }
  });

  test(
    'rollouts spread over two servers, each whole on one [train/replicas]',
    { timeout },
    async () => {
      const one = engine();
      await using two = await realEngine('llama.cpp');
      const sampledBefore = (await one.load()).sampled;
      const greedy = { 'sampling.top_k': 1 };
      const { episodes } = await playSums(one, { ...greedy, 'client.replicas': [two.url] });
      const sizes = episodes.flatMap(({ traces }) =>
        traces.map((trace) =>
          samplesOf(trace).reduce((sum, { logprobs }) => sum + logprobs.length, 0),
        ),
      );
      const onOne = (await one.load()).sampled - sampledBefore;
      const onTwo = (await two.load()).sampled;
      expect(onOne + onTwo).toBe(sizes.reduce((sum, size) => sum + size));
      expect(Math.min(onOne, onTwo)).toBeGreaterThan(0);
      // One rollout was alone on its server; were a turn of another there, its ids would be counted too.
      expect(sizes).toContain(Math.min(onOne, onTwo));
    },
  );

  test('the tokenizer of the model encodes as its engine does [train/exact]', async () => {
    const tokenizer = await loadTokenizer(engine().tokenizer);
    const renderer = rendererFor('', tokenizer, { renderer: 'smollm2' });
    const content = 'a 12,345 ünï 日本 \n\n\t  x<|im_end|>';
    const { tokenIds } = renderer.render({ messages: [{ role: 'user', content }] });
    const head = renderer.render({ messages: [{ role: 'user', content: '' }] }).tokenIds;
    const { tokens } = await engine().ask('/tokenize', { content, parse_special: false });
    const inner = [...tokenIds].slice(head.indexOf(2, 10));
    expect(inner.join(',')).toContain((tokens as number[]).join(','));
  });
});
