import { defineTaskset, z } from '@vf/core';
import type { EpisodeRecord, Trace } from '@vf/core';
import { encodeEpisode } from '@vf/core/trace';
import { trlRows } from '@vf/export-trl';
import { LocalModelUnavailable, localTokenizer, startLocalModel } from '@vf/local-model';
import { loadTokenizer, rendererFor } from '@vf/renderers';
import { afterAll, describe, expect, test } from 'vitest';
import type { Played } from '../run/play.ts';
import { play } from '../run/play.ts';

/** A busy machine makes the model a hundred times slower. */
const timeout = 600_000;

const sums = defineTaskset({
  data: z.object({ answer: z.number() }),
  load: () =>
    Array.from({ length: 3 }, (_, i) => ({
      key: `sum-${i}`,
      prompt: `What is ${i} + ${i}?`,
      answer: 2 * i,
    })),
  next: ({ trace }) =>
    trace.calls.length < 2 ? { prompt: 'And what is 3 + 4?', session: 'resume' } : null,
  rewards: {
    right: ({ task, trace }) =>
      Number(trace.lastReply?.match(/\d+/g)?.at(-1) === String(task.answer)),
  },
});

const started = await Promise.all([startLocalModel({ ctx: 2048 }), localTokenizer()]).catch(
  (error: unknown) => {
    if (LocalModelUnavailable.isInstance(error) && error.reason === 'no-python') return null;
    throw error;
  },
);
/** Stands in the types for a model that a machine without Python has not. */
const [model, folder] = started ?? [{ url: '', model: '' }, ''];

afterAll(() => started?.[0].stop());

function train(config: Readonly<Record<string, unknown>> = {}): Promise<Played> {
  return play({
    taskset: sums,
    model,
    config: {
      'client.type': 'train',
      'client.engine': 'llama.cpp',
      'client.renderer': 'smollm2',
      'client.tokenizer': folder,
      'sampling.max_tokens': 12,
      'sampling.seed': 3,
      ...config,
    },
  });
}

/** The ids on the way to each sampled reply, and where what was sampled begins. */
function samplesOf({ graph }: Trace) {
  return graph.nodes.flatMap(({ sampled, tokens }, node) => {
    if (!sampled) return [];
    const ids = graph.pathTo(node).flatMap((at) => [...(graph.nodes[at]?.tokens?.ids ?? [])]);
    const count = tokens?.logprobs.length ?? 0;
    return [{ ids, count, logprobs: [...(tokens?.logprobs ?? [])] }];
  });
}

async function ask(path: string, body: object): Promise<Record<string, unknown>> {
  const reply = await fetch(model.url + path, { method: 'POST', body: JSON.stringify(body) });
  return (await reply.json()) as Record<string, unknown>;
}

/** The logprob that the engine itself gives a token after others. */
async function logprobAfter(prompt: readonly number[], id: number): Promise<number> {
  const answer = await ask('/completion', {
    prompt,
    n_predict: 1,
    n_probs: 1,
    temperature: 1,
    top_k: 0,
    top_p: 1,
    min_p: 0,
    // Nothing else can be sampled, and logprobs are from before the bias.
    logit_bias: [[id, 1000]],
  });
  const [first] = answer['completion_probabilities'] as { id: number; logprob: number }[];
  expect(first?.id).toBe(id);
  return first?.logprob ?? Number.NaN;
}

describe.runIf(started !== null)('training with a real engine', () => {
  test.each([
    ['chat-completions', false],
    ['chat-completions', true],
    ['responses', true],
    ['messages', true],
  ])(
    'over %s (streamed: %s) every turn has its tokens and logprobs [train/every-turn]',
    { timeout },
    async (dialect, stream) => {
      const { result, episodes } = await train({
        'client.dialects': [dialect],
        'harness.stream': stream,
      });
      expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
      expect(episodes).toHaveLength(3);
      for (const { traces } of episodes) {
        const [trace] = traces;
        const samples = trace === undefined ? [] : samplesOf(trace);
        expect(samples).toHaveLength(2);
        for (const { count, logprobs } of samples) {
          expect(count).toBeGreaterThan(0);
          expect(logprobs.every((value) => value <= 0)).toBe(true);
          expect(logprobs.some((value) => value < 0)).toBe(true);
        }
        // The second prompt goes on from the first reply as it was sampled.
        expect(trace?.branches).toHaveLength(1);
        expect(trace?.calls.map(({ usage }) => usage?.outputTokens)).toEqual(
          samples.map(({ count }) => count),
        );
      }
    },
  );

  test('ids and logprobs are the engine’s own [train/exact]', { timeout }, async () => {
    const { trace } = await train({ num_examples: 1 });
    const [first] = samplesOf(trace('sum-0'));
    const ids = first?.ids ?? [];
    const start = ids.length - (first?.count ?? 0);
    const templated = await ask('/apply-template', {
      messages: [{ role: 'user', content: 'What is 0 + 0?' }],
    });
    const tokenized = await ask('/tokenize', { content: templated['prompt'], parse_special: true });
    expect(ids.slice(0, start)).toEqual(tokenized['tokens']);
    for (const [at, id] of ids.slice(start).entries()) {
      const again = await logprobAfter(ids.slice(0, start + at), id);
      expect(Math.abs(again - (first?.logprobs[at] ?? 0))).toBeLessThan(0.05);
    }
  });

  test(
    'a temperature and filters give the probabilities that were sampled with [train/filtered]',
    {
      timeout,
    },
    async () => {
      const { trace } = await train({
        num_examples: 1,
        'sampling.temperature': 0.7,
        'sampling.top_k': 1,
      });
      const [first] = samplesOf(trace('sum-0'));
      // One candidate is left of each: it was certain.
      expect(first?.logprobs.every((value) => value === 0)).toBe(true);
    },
  );

  test('traces become samples of TRL [train/exported]', { timeout }, async () => {
    const { episodes } = await train();
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
    'a prompt that the context cannot hold is named, and no sample [train/overlong]',
    {
      timeout,
    },
    async () => {
      const long = defineTaskset({
        data: z.object({}),
        load: () => [{ key: 'long', prompt: 'seven '.repeat(3000) }],
        rewards: { one: () => 1 },
      });
      const { episodes } = await play({
        taskset: long,
        model,
        config: {
          'client.type': 'train',
          'client.engine': 'llama.cpp',
          'client.renderer': 'smollm2',
          'client.tokenizer': folder,
          'retries.max_retries': 0,
        },
      });
      const [trace] = episodes[0]?.traces ?? [];
      expect(trace?.calls[0]?.error).toMatchObject({ code: 'context_length' });
      expect(trace?.graph.nodes.some(({ sampled }) => sampled)).toBe(false);
    },
  );

  test('the tokenizer of the model encodes as its engine does [train/exact]', async () => {
    const renderer = rendererFor('', await loadTokenizer(folder), { renderer: 'smollm2' });
    const content = 'a 12,345 ünï 日本 \n\n\t  x<|im_end|>';
    const { tokenIds } = renderer.render({ messages: [{ role: 'user', content }] });
    const head = renderer.render({ messages: [{ role: 'user', content: '' }] }).tokenIds;
    const { tokens } = await ask('/tokenize', { content, parse_special: false });
    const inner = [...tokenIds].slice(head.indexOf(2, 10));
    expect(inner.join(',')).toContain((tokens as number[]).join(','));
  });
});
