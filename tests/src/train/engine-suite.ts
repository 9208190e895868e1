import chatCompletions from '@vf/dialect-chat-completions';
import type { LocalEngine } from '@vf/local-model';
import { jinjaRenderer, loadTokenizer, rendererFor } from '@vf/renderers';
import type { Renderer, Tokenizer } from '@vf/renderers';
import { byteTokenizer } from '@vf/testkit';
import { checkTraining, makeEngine, trainClient } from '@vf/train';
import type { Engine } from '@vf/train';
import { expect, test } from 'vitest';
import { callOf, exchangeOf } from './exchange.ts';
import { playOnce, playSums, samplesOf } from './play-sums.ts';
import type { RealEngine } from './real-engine.ts';
import { tampering } from './tampering.ts';

/** A busy machine makes the model a hundred times slower. */
export const timeout = 900_000;

/** Where an engine takes ids, and how an answer of it is robbed of its logprobs. */
interface Endpoint {
  readonly path: string;
  readonly logprobs: (answer: Record<string, unknown>) => unknown[];
}

type Content = { readonly choices: [{ readonly logprobs: { readonly content: unknown[] } }] };
type Meta = { readonly meta_info: { readonly output_token_logprobs: unknown[] } };

const endpoints: Readonly<Record<LocalEngine, Endpoint>> = {
  vllm: {
    path: '/inference/v1/generate',
    logprobs: (answer) => (answer as Content).choices[0].logprobs.content,
  },
  sglang: {
    path: '/generate',
    logprobs: (answer) => (answer as Meta).meta_info.output_token_logprobs,
  },
  'llama.cpp': {
    path: '/completion',
    logprobs: (answer) => answer['completion_probabilities'] as unknown[],
  },
};

/** Never ends by itself within a test. */
const counting =
  'one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen,';

/** What every real engine is held to. `engine` is asked for when a test runs. */
export function describeEngine(id: LocalEngine, engine: () => RealEngine): void {
  const { path, logprobs } = endpoints[id];
  const direct = (): Engine => makeEngine(id, { baseUrl: engine().url, logprobs: 'processed' });

  test.each(
    ['chat-completions', 'responses', 'messages'].flatMap((dialect) =>
      [false, true].map((stream) => [dialect, stream] as const),
    ),
  )(
    'over %s (streamed: %s) every turn has its tokens and logprobs [train/every-turn]',
    { timeout },
    async (dialect, stream) => {
      const { result, episodes } = await playSums(engine(), {
        'client.dialects': [dialect],
        'harness.stream': stream,
      });
      expect(result).toMatchObject({ status: 'complete', exitCode: 0 });
      expect(episodes).toHaveLength(3);
      for (const trace of episodes.flatMap(({ traces }) => traces)) {
        const samples = samplesOf(trace);
        expect(samples).toHaveLength(2);
        const all = samples.flatMap((sample) => sample.logprobs);
        expect(all.every((value) => value <= 0)).toBe(true);
        expect(all.some((value) => value < 0)).toBe(true);
        // The second prompt goes on from the first reply as it was sampled.
        expect(trace.branches).toHaveLength(1);
        expect(trace.calls.map(({ usage }) => usage?.outputTokens)).toEqual(
          samples.map((sample) => sample.logprobs.length),
        );
      }
    },
  );

  test(
    'logprobs are those that the engine gives the same ids again [train/exact]',
    { timeout },
    async () => {
      const { episodes } = await playSums(engine());
      const samples = episodes.flatMap(({ traces }) => traces.flatMap(samplesOf));
      for (const { ids, start, logprobs: told } of samples) {
        const again = (await engine().score(ids, start)).slice(0, told.length);
        const apart = told.map((value, at) => Math.abs(value - (again[at] ?? Number.NaN)));
        // Half precision, another batch: single logits differ.
        expect(Math.max(...apart)).toBeLessThan(0.35);
        expect(apart.reduce((sum, value) => sum + value, 0) / apart.length).toBeLessThan(0.08);
      }
    },
  );

  test.each([false, true])(
    'a reply that ends by itself ends with an end token, streamed: %s [train/end-token]',
    { timeout },
    async (stream) => {
      const tokenizer = await loadTokenizer(engine().tokenizer);
      const renderer = rendererFor('', tokenizer, { renderer: 'smollm2' });
      const { stopIds } = renderer;
      const messages = [{ role: 'user', content: 'What is 3 + 4?' }] as const;
      const promptIds = renderer.render({ messages }).tokenIds;
      const client = direct();
      const { model } = engine();
      const { signal } = new AbortController();
      const onIds = stream ? () => undefined : undefined;
      const reply = (seed: number) => {
        const session = `end-${seed}`;
        const asked = { model, promptIds, recordedLength: 0, stopIds, room: 200, session };
        return client.sample({ ...asked, settings: { model, stream, seed } }, signal, onIds);
      };
      let sample = await reply(1);
      for (let seed = 2; sample.finish !== 'stop' && seed < 10; seed++) sample = await reply(seed);
      await client.close();
      expect(sample.finish).toBe('stop');
      expect(stopIds).toContain(sample.ids[sample.ids.length - 1]);
    },
  );

  test(
    'a prompt that the context cannot hold is named, and the engine hears nothing of it [train/overlong]',
    { timeout },
    async () => {
      await using watched = await tampering(engine().url, path, () => undefined);
      const trace = await playOnce({ ...engine(), url: watched.url }, 'seven '.repeat(3000));
      expect(trace.calls[0]?.error).toMatchObject({ code: 'context_length' });
      expect(trace.graph.nodes.some(({ sampled }) => sampled)).toBe(false);
      expect(watched.asked).toEqual([]);
    },
  );

  test('an abort ends the sampling at the engine [train/abort]', { timeout }, async () => {
    const before = await engine().load();
    const client = direct();
    const stopping = new AbortController();
    const tokenizer = await loadTokenizer(engine().tokenizer);
    const heard: number[] = [];
    const sampling = client.sample(
      {
        model: engine().model,
        promptIds: Int32Array.from(tokenizer.encode(counting)),
        recordedLength: 0,
        settings: { model: engine().model, stream: true },
        stopIds: [],
        room: 1500,
        session: 'aborted',
      },
      stopping.signal,
      (ids) => {
        heard.push(...Array.from(ids));
        if (heard.length > 3) stopping.abort();
      },
    );
    await expect(sampling).rejects.toMatchObject({ code: 'aborted' });
    await client.close();
    const idle = await untilIdle(engine());
    expect(heard.length).toBeGreaterThan(3);
    expect(idle.sampled - before.sampled).toBeLessThan(750);
  });

  test(
    'an engine that is gone in mid-reply is named, and no sample [train/engine-dies]',
    { timeout },
    async () => {
      await using cut = await tampering(engine().url, path, 'cut');
      const trace = await playOnce({ ...engine(), url: cut.url }, 'What is 3 + 4?');
      expect(trace.calls[0]?.error).toMatchObject({
        code: expect.stringMatching(/cut|unreachable|provider/) as string,
      });
      expect(samplesOf(trace)).toEqual([]);
      expect(trace.ok).toBe(false);
    },
  );

  test.each([
    ['no logprobs', (told: unknown[]) => told.splice(0), /no logprobs/],
    ['a logprob too few', (told: unknown[]) => told.splice(1, 1), /logprobs/],
  ] as const)(
    'an answer with %s is no sample [train/no-sample]',
    { timeout },
    async (_, rob, words) => {
      await using robbed = await tampering(engine().url, path, (answer) => rob(logprobs(answer)));
      const trace = await playOnce({ ...engine(), url: robbed.url }, 'What is 3 + 4?', {
        'harness.stream': false,
      });
      expect(trace.calls[0]?.error).toMatchObject({
        code: 'no_sample',
        message: expect.stringMatching(words) as string,
      });
      expect(samplesOf(trace)).toEqual([]);
      expect(robbed.asked).not.toEqual([]);
    },
  );

  test(
    'before the run it tells its tokens: another tokenizer is refused [train/renderer-refused]',
    { timeout },
    async () => {
      const { url, model, tokenizer: folder } = engine();
      const { signal } = new AbortController();
      const check = (tokenizer: Tokenizer): Promise<void> => {
        const opened = { renderer, tokenizer, vocabulary: tokenizer.size };
        return checkTraining(id, { baseUrl: `${url}/v1` }, model, opened, signal);
      };
      const own = await loadTokenizer(folder);
      const renderer = rendererFor('', own, { renderer: 'smollm2' });
      await check(own);
      await expect(check(byteTokenizer)).rejects.toMatchObject({ code: 'misfit/tokenizer' });
    },
  );

  test(
    'before the run it tells its template: another one is refused [train/template]',
    { timeout },
    async () => {
      const { url, model, tokenizer: folder } = engine();
      const tokenizer = await loadTokenizer(folder);
      const check = (renderer: Renderer, otherTemplate = false): Promise<void> => {
        const opened = { renderer, tokenizer, vocabulary: tokenizer.size };
        const options = { baseUrl: `${url}/v1`, otherTemplate };
        return checkTraining(id, options, model, opened, new AbortController().signal);
      };
      await check(rendererFor('', tokenizer, { renderer: 'smollm2' }));
      const template = '{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}';
      const foreign = jinjaRenderer({ template, eosToken: '<|im_end|>' }, tokenizer);
      await expect(check(foreign)).rejects.toMatchObject({
        code: 'misfit/template',
        message: expect.stringContaining('the engine "<|im_start|>system') as string,
        hint: expect.stringContaining('"smollm2"') as string,
      });
      await check(foreign, true);
    },
  );

  test(
    'ids that the tokenizer has not are no sample, streamed or not [train/no-sample]',
    { timeout },
    async () => {
      const tokenizer = await loadTokenizer(engine().tokenizer);
      const renderer = rendererFor('', tokenizer, { renderer: 'smollm2' });
      const client = trainClient({
        engine: direct(),
        renderer,
        vocabulary: 20,
        model: engine().model,
      });
      for (const stream of [false, true]) {
        const call = callOf([{ role: 'user', content: 'What is 3 + 4?' }], stream);
        const limits = { maxOutputTokens: 4, seed: 1 };
        const settings = { ...call.settings, model: engine().model, ...limits };
        const exchange = exchangeOf(chatCompletions, { ...call, settings });
        const { error } = await client.send(exchange, new AbortController().signal);
        expect(error).toMatchObject({
          code: 'no_sample',
          message: expect.stringContaining('20 tokens') as string,
        });
      }
      await client.close();
    },
  );

  test('text leaves while it is sampled [train/live]', { timeout }, async () => {
    const tokenizer = await loadTokenizer(engine().tokenizer);
    const renderer = rendererFor('', tokenizer, { renderer: 'smollm2' });
    const client = trainClient({
      engine: direct(),
      renderer,
      vocabulary: tokenizer.size,
      model: engine().model,
    });
    const call = callOf([{ role: 'user', content: 'Count from one to thirty.' }], true);
    const settings = { ...call.settings, model: engine().model, maxOutputTokens: 60 };
    const reply = async (seed: number) => {
      const exchange = exchangeOf(chatCompletions, { ...call, settings: { ...settings, seed } });
      const { body, tokens } = await client.send(exchange, new AbortController().signal);
      const chunks = await Array.fromAsync(body);
      return { chunks: chunks.length, ids: (await tokens)?.completionIds.length ?? 0 };
    };
    // Not every engine heeds a seed, and a short reply leaves in one piece.
    let long = await reply(5);
    for (let seed = 6; long.ids <= 16 && seed < 15; seed++) long = await reply(seed);
    await client.close();
    expect(long.ids).toBeGreaterThan(16);
    expect(long.chunks).toBeGreaterThan(3);
  });
}

async function untilIdle(engine: RealEngine): ReturnType<RealEngine['load']> {
  for (;;) {
    const load = await engine.load();
    if (load.running === 0) return load;
  }
}
