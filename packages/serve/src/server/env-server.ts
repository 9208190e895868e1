import type { Log } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import type { TaskInstance } from '@vf/run';
import { Router } from 'zeromq';
import type { RunHost } from '../host/run-host.ts';
import type { JsonRecord } from '../request/is-record.ts';
import { malformed, readMap } from '../request/run-request.ts';
import { pack } from '../wire/pack.ts';
import { Counts } from './counts.ts';
import type { ServeCounts } from './counts.ts';
import { Gate } from './gate.ts';
import { defaultServeLimits } from './limits.ts';
import type { ServeLimits } from './limits.ts';
import { Outbox } from './outbox.ts';
import { taskPage } from './task-page.ts';

export interface EnvServerOptions {
  readonly host: RunHost;
  /** What `tasks` answers with. */
  readonly tasks: readonly TaskInstance[];
  /** ZeroMQ address; port 0 lets the system choose. */
  readonly bind: string;
  readonly limits?: Partial<ServeLimits>;
  readonly log: Log;
}

/** The verifiers environment protocol: health, run, cancel; and tasks and metrics for our own Python package. */
export interface EnvServer {
  /** Where it listens, with the port that the system chose. */
  readonly address: string;
  counts(): ServeCounts;
  /** Cancels what is under way, waits for it to be cleaned up, answers, and closes. Idempotent; the host stays. */
  close(): Promise<void>;
}

/** @throws VfError interception/failed when the address cannot be bound */
export async function startEnvServer(options: EnvServerOptions): Promise<EnvServer> {
  const limits = { ...defaultServeLimits, ...options.limits };
  const socket = new Router({
    mandatory: true,
    sendHighWaterMark: 0,
    // Else a send to a client that is gone waits until another one comes.
    sendTimeout: 0,
    receiveHighWaterMark: 0,
    linger: lingerMs,
    maxMessageSize: 2 * limits.maxPayloadBytes,
  });
  try {
    await socket.bind(options.bind);
  } catch (error) {
    socket.close();
    const cause = error instanceof Error ? error.message : String(error);
    throw new VfError('interception/failed', `${options.bind} cannot be listened on: ${cause}`, {
      hint: '--bind tcp://127.0.0.1:5001, or tcp://127.0.0.1:0 for any free port',
    });
  }
  return new RunningServer(socket, options, limits);
}

const lingerMs = 1_000;

interface Request {
  readonly identity: Uint8Array;
  readonly id: string;
  readonly payload: Uint8Array;
}

interface Underway {
  readonly client: string;
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

class RunningServer implements EnvServer {
  readonly address: string;
  readonly #socket: Router;
  readonly #options: EnvServerOptions;
  readonly #limits: ServeLimits;
  readonly #gate: Gate;
  readonly #outbox: Outbox;
  readonly #counts = new Counts();
  readonly #underway = new Map<string, Underway>();
  readonly #listening: Promise<void>;
  #closing: Promise<void> | null = null;

  constructor(socket: Router, options: EnvServerOptions, limits: ServeLimits) {
    this.#socket = socket;
    this.#options = options;
    this.#limits = limits;
    this.#gate = new Gate(limits.maxConcurrent, limits.maxQueued);
    this.#outbox = new Outbox(socket, (identity, reason) => this.#clientLost(identity, reason));
    this.address = socket.lastEndpoint ?? options.bind;
    this.#listening = this.#listen();
  }

  counts(): ServeCounts {
    return this.#counts.snapshot({ running: this.#gate.inside, queued: this.#gate.waiting });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const reason = new VfError('cancelled', 'the server stops');
    for (const { stop } of this.#underway.values()) stop.abort(reason);
    await Promise.all([...this.#underway.values()].map(({ done }) => done));
    await this.#outbox.idle();
    this.#socket.close();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    for await (const frames of this.#socket) this.#take(frames);
  }

  #take(frames: readonly Buffer[]): void {
    const [identity, id, method, payload] = frames;
    if (identity === undefined || id === undefined || method === undefined || payload === undefined)
      return this.#drop(`a message of ${frames.length} frames`);
    if (frames.length > 4) return this.#drop(`a message of ${frames.length} frames`);
    this.#counts.add('received_bytes', payload.length);
    const request = { identity, id: id.toString(), payload };
    if (payload.length > this.#limits.maxPayloadBytes) {
      const { maxPayloadBytes } = this.#limits;
      return this.#refuse(
        request,
        malformed(`the request has ${payload.length} bytes; at most ${maxPayloadBytes} are taken`),
      );
    }
    this.#dispatch(request, method.toString());
  }

  #dispatch(request: Request, method: string): void {
    try {
      switch (method) {
        case 'run':
          return this.#run(request);
        case 'cancel':
          return this.#answer(request, { cancelled: this.#cancel(request) });
        case 'health':
          return this.#answer(request, {});
        case 'tasks':
          return this.#answer(request, taskPage(this.#options.tasks, readMap(request.payload)));
        case 'metrics':
          return this.#answer(request, { metrics: this.counts() });
        default:
          throw malformed(`unknown method ${JSON.stringify(method)}`);
      }
    } catch (error) {
      this.#refuse(request, toVfError(error, 'internal/unexpected', `method ${method}`));
    }
  }

  #run(request: Request): void {
    const key = keyOf(request, request.id);
    if (this.#closing !== null) throw new VfError('cancelled', 'the server stops');
    if (this.#underway.has(key)) throw malformed(`request ${request.id} is under way already`);
    const stop = new AbortController();
    const done = this.#play(request, stop.signal).finally(() => this.#underway.delete(key));
    this.#underway.set(key, { client: nameOf(request.identity), stop, done });
  }

  async #play(request: Request, signal: AbortSignal): Promise<void> {
    const { host } = this.#options;
    // A cancel that comes in the same tick finds the run registered.
    await Promise.resolve();
    try {
      const emit = (delta: Uint8Array): void => {
        if (!signal.aborted) this.#send(request, 'delta', delta);
      };
      const reply = await this.#gate.run(signal, () => host.run(request.payload, emit, signal));
      this.#counts.add('finished');
      this.#send(request, 'reply', reply);
    } catch (error) {
      const failure = toVfError(error, 'internal/unexpected', 'run');
      if (signal.aborted) this.#counts.add('cancelled');
      this.#refuse(request, failure);
    }
  }

  /** Ends a run of the same client. @returns whether there was one */
  #cancel(request: Request): boolean {
    const { request_id: id } = readMap(request.payload);
    if (typeof id !== 'string') throw malformed('cancel needs request_id, a text');
    const run = this.#underway.get(keyOf(request, id));
    if (run === undefined || run.stop.signal.aborted) return false;
    run.stop.abort(new VfError('cancelled', 'the rollout was cancelled'));
    this.#options.log.info('cancelled a run', { request: id });
    return true;
  }

  #answer(request: Request, fields: JsonRecord): void {
    this.#send(request, 'reply', pack({ success: true, error: null, ...fields }));
  }

  #refuse(request: Request, error: VfError): void {
    const { code, message } = error;
    if (code !== 'cancelled') {
      this.#counts.add('failed');
      this.#options.log.warn('a request failed', { request: request.id, code, message });
    }
    this.#send(request, 'reply', pack({ success: false, error: `${code}: ${message}` }));
  }

  #send({ identity, id }: Request, kind: 'delta' | 'reply', body: Uint8Array): void {
    this.#counts.add('sent_bytes', body.length);
    this.#outbox.send([identity, id, kind, body]);
  }

  #drop(what: string): void {
    this.#counts.add('dropped');
    this.#options.log.warn('dropped a message that is no request', { what });
  }

  /** Nobody will read what its runs bring: they end, queued ones too. */
  #clientLost(identity: Uint8Array, reason: string): void {
    this.#counts.add('lost');
    const client = nameOf(identity);
    const runs = [...this.#underway.values()].filter(
      (run) => run.client === client && !run.stop.signal.aborted,
    );
    this.#options.log.warn('a client is gone', { reason, runs: runs.length });
    for (const { stop } of runs) stop.abort(new VfError('cancelled', 'the client is gone'));
  }
}

function keyOf({ identity }: Pick<Request, 'identity'>, id: string): string {
  return `${nameOf(identity)} ${id}`;
}

function nameOf(identity: Uint8Array): string {
  return Buffer.from(identity).toString('hex');
}
