import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Episode, Message, Trace } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { makeEpisode, makeTrace } from '@vf/testkit';
import { packEpisode } from '@vf/wire';
import type { TokenTurn } from './turns.ts';

/** Builds the trace of the turns in a file, as a rollout does, packs it, and prints what that took. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Buffers are given back after the collection that found them dead. */
async function held(): Promise<number> {
  collect();
  await sleep(100);
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function built(file: string): Trace {
  const turns = JSON.parse(readFileSync(file, 'utf8')) as TokenTurn[];
  const trace = makeTrace({ turns: [] });
  const { graph } = trace;
  let at = graph.start([]);
  let past = new Int32Array();
  for (const [index, { said, sampled }] of turns.entries()) {
    const promptIds = joined(past, said.ids);
    const prompt: Message = { role: 'user', content: said.text };
    const message = { role: 'assistant' as const, content: sampled.text };
    const earlier = Array.from({ length: 2 * index }, () => null);
    const turn = {
      promptIds,
      completionIds: Int32Array.from(sampled.ids),
      logprobs: Float32Array.from(sampled.ids, (_, token) => -((token * 7919) % 1000) / 997),
      spans: [...earlier, [past.length, promptIds.length] as const],
      isContent: new Uint8Array(promptIds.length).fill(1, past.length),
      space: { vocabulary: 151_936, context: 131_072 },
    };
    const { reply } = graph.commit(at, [{ said: prompt }], { message, turn }, { timestamp: index });
    at = { ...at, node: reply };
    past = joined(promptIds, sampled.ids);
  }
  return trace;
}

function joined(before: Int32Array, more: readonly number[]): Int32Array<ArrayBuffer> {
  const all = new Int32Array(before.length + more.length);
  all.set(before);
  all.set(more, before.length);
  return all;
}

function withoutTokens(trace: Trace): Trace {
  const copy = makeTrace({ turns: [] });
  for (const { tokens: _, ...node } of trace.graph.nodes) copy.graph.restore(node);
  return copy;
}

const episodeOf = (trace: Trace): Episode => ({
  ...makeEpisode(),
  task: trace.task,
  traces: [trace],
});

const [file = ''] = process.argv.slice(2);
packEpisode(makeEpisode());
const before = await held();
const residentBefore = process.memoryUsage.rss();
const trace = built(file);
const alive = (await held()) - before;
const start = process.cpuUsage();
const bytes = packEpisode(episodeOf(trace)).length;
const { user, system } = process.cpuUsage(start);
const peak = process.resourceUsage().maxRSS * 1024 - residentBefore;
const owned = trace.graph.nodes.flatMap(({ tokens }) => tokens ?? []);
const sum = (lengths: readonly number[]): number =>
  lengths.reduce((all, length) => all + length, 0);
process.stdout.write(
  JSON.stringify({
    ids: sum(owned.map(({ ids }) => ids.length)),
    logprobs: sum(owned.map(({ logprobs }) => logprobs.length)),
    text: sum(trace.graph.nodes.map(({ message }) => Buffer.byteLength(textOf(message.content)))),
    bytes,
    bare: packEpisode(episodeOf(withoutTokens(trace))).length,
    alive,
    peak,
    cpu: (user + system) / 1000,
  }),
);
