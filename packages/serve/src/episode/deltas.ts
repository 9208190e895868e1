import type { Episode, Trace } from '@vf/core';
import { encodeTrace, encodeTurns } from '@vf/core/trace';
import type { Written } from '@vf/core/trace';
import type { RolloutObserver } from '@vf/run';
import type { JsonRecord } from '../request/is-record.ts';
import type { SentTask } from '../request/task-data.ts';
import { Packed, packMap } from '../wire/pack.ts';
import { allDigits } from './all-digits.ts';

/** Fields of a trace that are sent whole when they change; the rest are lists that grow, and the head. */
const whole = [
  'agent',
  'tools',
  'rewards',
  'metrics',
  'info',
  'root_reply',
  'is_completed',
  'ok',
  'stop_condition',
  'is_timeout',
  'timing',
  'num_input_tokens',
  'num_output_tokens',
  'num_total_tokens',
] as const;

interface Sent {
  readonly trace: Trace;
  written: Written;
  /** Causal links of each node that went out. */
  links: number[];
  isOpen: boolean;
}

const flushMs = 100;

/** Sends the traces of one episode while they grow; a short episode goes out in one piece at its end. */
export class EpisodeDeltas {
  readonly #task: SentTask;
  readonly #emit: (delta: Uint8Array) => void;
  readonly #traces = new Map<string, Sent>();
  #timer: NodeJS.Timeout | null = null;

  readonly observer: RolloutObserver = {
    started: (trace) => {
      this.#traces.set(trace.id, unsent(trace));
      this.#flushSoon();
    },
    call: () => this.#flushSoon(),
    retry: (trace) => this.#discard(trace.id),
  };

  constructor(task: SentTask, emit: (delta: Uint8Array) => void) {
    this.#task = task;
    this.#emit = emit;
  }

  /** Sends what is left. @returns the reply that ends the run */
  finish(episode: Episode): Uint8Array {
    this.stop();
    const kept = new Set(episode.traces.map(({ id }) => id));
    for (const id of this.#traces.keys()) if (!kept.has(id)) this.#discard(id);
    for (const trace of episode.traces) this.#finishTrace(trace);
    return packMap({
      success: true,
      error: null,
      head: new Packed(this.#head(episode)),
      traces: episode.traces.map(({ id, graph, calls }) => ({
        id,
        nodes: graph.nodes.length,
        calls: calls.length,
      })),
    });
  }

  /** Sends nothing more. */
  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      for (const sent of this.#traces.values()) this.#grow(sent);
    }, flushMs).unref();
  }

  #grow(sent: Sent): void {
    const { trace, written } = sent;
    if (!sent.isOpen) return this.#open(sent, encodeTrace(trace), {});
    const { nodes, calls } = encodeTurns(trace, written);
    const isSame =
      trace.graph.nodes.length === written.nodes && trace.calls.length === written.calls;
    if (isSame) return;
    this.#emit(packMap({ trace: trace.id, nodes: allDigits(nodes, trace, written.nodes), calls }));
    wasSent(sent);
  }

  /** The first delta of a trace: its head and all that it holds so far. */
  #open(sent: Sent, record: JsonRecord, more: JsonRecord): void {
    const { trace } = sent;
    const { version, id, verifiers, task, nodes, calls } = record;
    const head = { version, id, verifiers, task: this.#taskOf(trace, task) };
    this.#emit(
      packMap({
        trace: trace.id,
        open: new Packed(packMap(head)),
        nodes: allDigits(nodes, trace, 0),
        calls,
        set: picked(record),
        ...more,
      }),
    );
    wasSent(sent);
  }

  #finishTrace(trace: Trace): void {
    const sent = this.#traces.get(trace.id) ?? unsent(trace);
    const record = encodeTrace(trace);
    const { errors, extra_usage } = record;
    if (!sent.isOpen) return this.#open(sent, record, { errors, extra_usage });
    const nodes = list(record['nodes']).slice(sent.written.nodes);
    const calls = list(record['calls']).slice(sent.written.calls);
    this.#emit(
      packMap({
        trace: trace.id,
        nodes: allDigits(nodes, trace, sent.written.nodes),
        calls,
        links: newLinks(sent),
        errors,
        extra_usage,
        set: picked(record),
      }),
    );
  }

  #discard(id: string): void {
    const sent = this.#traces.get(id);
    this.#traces.delete(id);
    if (sent?.isOpen === true) this.#emit(packMap({ trace: id, discard: true }));
  }

  /** The task as the trainer sent it; one that the environment made up stays as recorded. */
  #taskOf(trace: Trace, recorded: unknown): unknown {
    return trace.task.key === this.#task.instance.key ? packTask(this.#task) : recorded;
  }

  #head({ id, env, ok, isTimeout, errors }: Episode): Uint8Array {
    return packMap({
      id,
      env: { id: env.id },
      task: packTask(this.#task),
      ok,
      is_timeout: isTimeout,
      errors: errors.map(({ type, message }) => ({ type, message })),
    });
  }
}

/** A task with its data as it came. */
function packTask({ type, key, hash, packedData }: SentTask): Packed {
  return new Packed(packMap({ type, key, hash, data: new Packed(packedData) }));
}

function picked(record: JsonRecord): JsonRecord {
  return Object.fromEntries(
    whole.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])),
  );
}

function unsent(trace: Trace): Sent {
  return { trace, written: { nodes: 0, calls: 0 }, links: [], isOpen: false };
}

function wasSent(sent: Sent): void {
  const { nodes } = sent.trace.graph;
  sent.isOpen = true;
  for (const node of nodes.slice(sent.written.nodes)) sent.links.push(node.links?.length ?? 0);
  sent.written = { nodes: nodes.length, calls: sent.trace.calls.length };
}

/** Causal links that nodes got after they went out, by the index of the node. */
function newLinks({ trace, links }: Sent): JsonRecord | undefined {
  const added = links.flatMap((count, at) => {
    const more = trace.graph.nodes[at]?.links?.slice(count) ?? [];
    return more.length === 0 ? [] : [[at, more] as const];
  });
  return added.length === 0 ? undefined : Object.fromEntries(added);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
