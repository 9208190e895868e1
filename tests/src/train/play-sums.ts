import { defineTaskset, z } from '@vf/core';
import type { Episode, Trace } from '@vf/core';
import type { Played } from '../run/play.ts';
import { play } from '../run/play.ts';
import type { RealEngine } from './real-engine.ts';

/** Sums of two turns, which a small model gets right now and then. */
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

/**
 * Plays sums through an engine, 12 ids a reply at most. Of every hundred runs llama.cpp samples an emoji in five, whose
 * logprobs it leaves out: such a run is played again under the next seed.
 */
export async function playSums(
  engine: Pick<RealEngine, 'url' | 'model' | 'config'>,
  config: Readonly<Record<string, unknown>> = {},
): Promise<Played> {
  for (let seed = 3; ; seed++) {
    const played = await play({
      taskset: sums,
      model: engine,
      config: { ...engine.config, 'sampling.max_tokens': 12, 'sampling.seed': seed, ...config },
    });
    if (seed >= 10 || !played.episodes.some(hasUntoldTokens)) return played;
  }
}

function hasUntoldTokens({ traces }: Episode): boolean {
  return traces.some(({ calls }) =>
    calls.some(({ error }) => error?.message.includes('characters that take several') === true),
  );
}

const asksOnce = (prompt: string) =>
  defineTaskset({
    data: z.object({}),
    load: () => [{ key: 'one', prompt }],
    rewards: { one: () => 1 },
  });

/** One turn with this prompt, tried once. @returns its trace */
export async function playOnce(
  engine: Pick<RealEngine, 'url' | 'model' | 'config'>,
  prompt: string,
  config: Readonly<Record<string, unknown>> = {},
): Promise<Trace> {
  const once = { 'retries.max_retries': 0, 'sampling.max_tokens': 12 };
  const { episodes } = await play({
    taskset: asksOnce(prompt),
    model: engine,
    config: { ...engine.config, ...once, ...config },
  });
  const trace = episodes[0]?.traces[0];
  if (trace === undefined) throw new Error('the episode has no trace');
  return trace;
}

/** The ids on the way to each sampled reply, and where what was sampled begins. */
export function samplesOf({ graph }: Trace) {
  return graph.nodes.flatMap(({ sampled, tokens }, node) => {
    if (!sampled || tokens === null || tokens === undefined) return [];
    const ids = graph.pathTo(node).flatMap((at) => [...(graph.nodes[at]?.tokens?.ids ?? [])]);
    const logprobs = [...tokens.logprobs];
    return [{ ids, start: ids.length - logprobs.length, logprobs }];
  });
}
