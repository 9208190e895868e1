import { decode } from '@msgpack/msgpack';
import type { Episode, Message, TurnTokens } from '@vf/core';
import { Trace } from '@vf/core/trace';
import { Packed, pack, unpackEpisode } from '@vf/wire';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EpisodeDeltas } from '../src/episode/deltas.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- deltas are joined as the peer joins them
type Json = any;

const task = { type: 'sums', key: 'one', hash: 'ab', data: { prompt: 'hi' } };
const sent = {
  instance: { key: 'one', hash: 'ab', row: task.data, task: { prompt: 'hi', key: 'one' } },
  type: 'sums',
  key: 'one',
  hash: 'ab',
  packed: new Packed(pack(task)),
};

function openTrace(): Trace {
  return new Trace({
    id: 't',
    task,
    agent: {
      name: 'agent',
      trainable: true,
      model: 'm',
      harness: { id: 'null', version: null, config: {} },
      runtime: { id: 'subprocess', config: {} },
      sampling: {},
      limits: {},
    },
    start: 1,
  });
}

function take(trace: Trace, said: readonly Message[], reply: string, turn: TurnTokens): void {
  const { graph } = trace;
  const { at, matched } = graph.walk(graph.start([]), said);
  const tail = said.slice(matched).map((message) => ({ said: message }));
  const message = { role: 'assistant' as const, content: reply };
  graph.commit(at, tail, { message, turn }, { timestamp: 1 });
}

const experts = (start: number, rows: Uint8Array | Uint16Array) => ({
  routedExperts: { rows, layers: 1, topK: 1, start },
});
const first: TurnTokens = {
  promptIds: Int32Array.of(1, 2, 3, 4),
  completionIds: Int32Array.of(5, 6),
  logprobs: Float32Array.of(-0.123_456_789, -1e-7),
  spans: [[0, 3]],
  ...experts(0, Uint8Array.of(1, 2, 3, 4, 5)),
};
const second: TurnTokens = {
  promptIds: Int32Array.of(1, 2, 3, 4, 5, 6, 7),
  completionIds: Int32Array.of(8),
  logprobs: Float32Array.of(-0.5),
  spans: [null, null, [6, 7]],
  samplingMask: { ids: Int32Array.of(8, 9), counts: Int32Array.of(2) },
  ...experts(5, Uint16Array.of(300, 60)),
};

/** The last row of a tensor replaced by another, as `EpisodeAssembly` of verifiers does it. */
function repaired(tensor: Json, row: Json): Json {
  const values = (of: Json): number[] =>
    of.dtype === 'uint8'
      ? [...of.data]
      : [...new Uint16Array(Uint8Array.from(of.data as Uint8Array).buffer)];
  const all = [...values(tensor).slice(0, -1), ...values(row)];
  const isWide = tensor.dtype === 'uint16' || row.dtype === 'uint16';
  const data = isWide ? Uint16Array.from(all) : Uint8Array.from(all);
  const dtype = isWide ? 'uint16' : 'uint8';
  return { ...tensor, dtype, data: new Uint8Array(data.buffer) };
}

function joined(deltas: readonly Json[], head: Json): Json {
  const lists = { nodes: [], calls: [], errors: [], extra_usage: [] };
  const trace: Json = { ...deltas[0].open, ...lists };
  for (const delta of deltas) {
    for (const [at, row] of Object.entries(delta.routing_repairs ?? {})) {
      trace.nodes[at].routed_experts = repaired(trace.nodes[at].routed_experts, row);
    }
    for (const key of Object.keys(lists)) trace[key].push(...(delta[key] ?? []));
    Object.assign(trace, delta.set);
  }
  return { ...head, traces: [trace] };
}

describe('tokens in deltas [serve/wire-form]', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('joined they are the tokens of the graph, repaired rows included', () => {
    const emitted: Json[] = [];
    const events = {
      delta: (bytes: Uint8Array) => void emitted.push(decode(bytes)),
      sampled: () => undefined,
      noted: () => undefined,
    };
    const deltas = new EpisodeDeltas(sent, events);
    const trace = openTrace();
    const prompt: Message[] = [{ role: 'user', content: 'hi' }];
    deltas.observer.started?.(trace);
    take(trace, prompt, 'yo', first);
    vi.runAllTimers();
    expect(emitted).toHaveLength(1);
    prompt.push({ role: 'assistant', content: 'yo' }, { role: 'user', content: 'go' });
    take(trace, prompt, 'ok', second);
    const episode: Episode = {
      id: 'e',
      env: { id: 'single' },
      task,
      attempt: 1,
      traces: [trace],
      errors: [],
      ok: true,
      isTimeout: false,
    };
    const reply: Json = decode(deltas.finish(episode));
    expect(Object.keys(emitted[1].routing_repairs)).toEqual(['1']);
    expect(emitted[1].routing_repairs['1'].shape).toEqual([1, 1, 1]);
    const back = unpackEpisode(pack(joined(emitted, reply.head)));
    const tokens = (of: Trace | undefined) => of?.graph.nodes.map((node) => node.tokens);
    expect(tokens(back.traces[0])).toEqual(tokens(trace));
    expect(trace.graph.nodes[1]?.tokens?.routedExperts?.rows).toEqual(Uint16Array.of(4, 5, 300));
  });
});
