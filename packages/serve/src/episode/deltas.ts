import type { Episode } from '@vf/core';
import { encodeTrace, encodeTurns } from '@vf/core/trace';
import type { RolloutObserver } from '@vf/run';
import { pack, wireNodes } from '@vf/wire';
import type { RunEvents } from '../host/run-host.ts';
import type { JsonRecord } from '../request/is-record.ts';
import type { SentTask } from '../request/task-data.ts';
import { SentTrace } from './sent-trace.ts';

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

/** How old news may get; what ends before goes out in one piece, which costs half as much. */
const flushMs = 250;
/** Tokens are packed from the arrays of the nodes themselves. */
const form = { tokens: 'apart' } as const;

/** Sends the traces of one episode while they grow; a short episode goes out in one piece at its end. */
export class EpisodeDeltas {
  readonly #task: SentTask;
  readonly #events: RunEvents;
  readonly #traces = new Map<string, SentTrace>();
  #timer: NodeJS.Timeout | null = null;

  readonly observer: RolloutObserver = {
    started: (trace) => {
      this.#traces.set(trace.id, new SentTrace(trace));
      this.#flushSoon();
    },
    call: () => {
      this.#events.sampled();
      this.#flushSoon();
    },
    retry: (trace) => this.#discard(trace.id),
  };

  constructor(task: SentTask, events: RunEvents) {
    this.#task = task;
    this.#events = events;
  }

  /** Sends what is left. @returns the reply that ends the run */
  finish(episode: Episode): Uint8Array {
    this.stop();
    const kept = new Set(episode.traces.map(({ id }) => id));
    for (const id of this.#traces.keys()) if (!kept.has(id)) this.#discard(id);
    for (const trace of episode.traces)
      this.#finishTrace(this.#traces.get(trace.id) ?? new SentTrace(trace));
    return pack({
      success: true,
      error: null,
      head: this.#head(episode),
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

  #grow(sent: SentTrace): void {
    const { trace, written } = sent;
    if (!sent.isOpen) return this.#open(sent, encodeTrace(trace, form), {});
    if (!sent.hasNews) return;
    const { nodes, calls } = encodeTurns(trace, written, form);
    this.#send(sent, { nodes, calls });
  }

  /** The first delta of a trace: its head and all that it holds so far. */
  #open(sent: SentTrace, record: JsonRecord, more: JsonRecord): void {
    const { version, id, verifiers, task, nodes, calls } = record;
    const open = { version, id, verifiers, task: this.#taskOf(sent, task) };
    this.#send(sent, { open, nodes, calls, set: picked(record), ...more });
  }

  #finishTrace(sent: SentTrace): void {
    const record = encodeTrace(sent.trace, form);
    const { errors, extra_usage } = record;
    if (!sent.isOpen) return this.#open(sent, record, { errors, extra_usage });
    this.#send(sent, {
      nodes: list(record['nodes']).slice(sent.written.nodes),
      calls: list(record['calls']).slice(sent.written.calls),
      errors,
      extra_usage,
      set: picked(record),
    });
  }

  #send(sent: SentTrace, { nodes, ...fields }: JsonRecord): void {
    const { trace, written } = sent;
    this.#events.delta(
      pack({
        trace: trace.id,
        ...fields,
        nodes: wireNodes(nodes, trace.graph.nodes.slice(written.nodes)),
        ...sent.changes(),
      }),
    );
    sent.wasSent();
  }

  #discard(id: string): void {
    const sent = this.#traces.get(id);
    this.#traces.delete(id);
    if (sent?.isOpen === true) this.#events.delta(pack({ trace: id, discard: true }));
  }

  /** The task as the trainer sent it; one that the environment made up stays as recorded. */
  #taskOf({ trace }: SentTrace, recorded: unknown): unknown {
    return trace.task.key === this.#task.instance.key ? this.#task.packed : recorded;
  }

  #head({ id, env, ok, isTimeout, errors }: Episode): JsonRecord {
    return {
      id,
      env: { id: env.id },
      task: this.#task.packed,
      ok,
      is_timeout: isTimeout,
      errors: errors.map(({ type, message }) => ({ type, message })),
    };
  }
}

function picked(record: JsonRecord): JsonRecord {
  const fields: Record<string, unknown> = {};
  for (const name of whole) fields[name] = record[name];
  return fields;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
