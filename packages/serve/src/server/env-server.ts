import type { Log } from '@vf/core';
import { VfError, toVfError } from '@vf/core/errors';
import type { TaskInstance } from '@vf/run';
import { pack } from '@vf/wire';
import type { RunEvents, RunHost } from '../host/run-host.ts';
import type { JsonRecord } from '../request/is-record.ts';
import { malformed, readMap } from '../request/run-request.ts';
import type { Peer } from '../zmtp/peer.ts';
import { Router } from '../zmtp/router.ts';
import { Counts } from './counts.ts';
import type { ServeCounts } from './counts.ts';
import { Gate } from './gate.ts';
import { defaultServeLimits } from './limits.ts';
import type { ServeLimits } from './limits.ts';
import { taskPage } from './task-page.ts';
import { UnderwayRuns } from './underway.ts';

export interface EnvServerOptions {
  readonly host: RunHost;
  /** What `tasks` answers with. */
  readonly tasks: readonly TaskInstance[];
  /** `tcp://HOST:PORT` or `ipc://PATH`; port 0 lets the system choose. */
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

/** @throws VfError usage/invalid for what is no address, interception/failed when it cannot be bound */
export async function startEnvServer(options: EnvServerOptions): Promise<EnvServer> {
  const server = new RunningServer(options, { ...defaultServeLimits, ...options.limits });
  await server.listen();
  return server;
}

interface Request {
  readonly peer: Peer;
  /** One character a byte: it goes back as it came, and need be no text. */
  readonly id: string;
  readonly payload: Uint8Array;
}

class RunningServer implements EnvServer {
  address = '';
  readonly #options: EnvServerOptions;
  readonly #limits: ServeLimits;
  readonly #gate: Gate;
  readonly #counts = new Counts();
  readonly #runs = new UnderwayRuns();
  readonly #noted = new Set<string>();
  #router: Router | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: EnvServerOptions, limits: ServeLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#gate = new Gate(limits.maxConcurrent, limits.maxQueued);
  }

  async listen(): Promise<void> {
    this.#router = await Router.bind(this.#options.bind, {
      maxBytes: 2 * this.#limits.maxPayloadBytes,
      message: (peer, frames) => this.#take(peer, frames),
      gone: (peer, reason) => this.#clientGone(peer, reason),
    });
    this.address = this.#router.address;
  }

  counts(): ServeCounts {
    return this.#counts.snapshot({ running: this.#gate.inside, queued: this.#gate.waiting });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#runs.endAll(new VfError('cancelled', 'the server stops'));
    await this.#router?.close();
  }

  #take(peer: Peer, frames: readonly Buffer[]): void {
    const [id, method, payload] = frames;
    if (id === undefined || method === undefined || payload === undefined || frames.length > 3)
      return this.#drop(`a message of ${frames.length} frames`);
    this.#counts.add('received_bytes', payload.length);
    const request = { peer, id: id.toString('latin1'), payload };
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
          return this.#answer(request, {
            metrics: { ...this.counts(), ...this.#options.host.counts() },
          });
        default:
          throw malformed(`unknown method ${JSON.stringify(method)}`);
      }
    } catch (error) {
      this.#refuse(request, toVfError(error, 'internal/unexpected', `method ${method}`));
    }
  }

  #run(request: Request): void {
    const { peer, id } = request;
    if (this.#closing !== null) throw new VfError('cancelled', 'the server stops');
    if (this.#runs.has(peer, id)) throw malformed(`request ${id} is under way already`);
    this.#runs.add(peer, id, (signal) => this.#play(request, signal));
  }

  async #play(request: Request, signal: AbortSignal): Promise<void> {
    const { host } = this.#options;
    try {
      const events: RunEvents = {
        delta: (body) => {
          if (!signal.aborted) this.#send(request, 'delta', body);
        },
        sampled: () => undefined,
        noted: (note) => this.#note(note),
      };
      const reply = await this.#gate.run(signal, () => host.run(request.payload, events, signal));
      this.#counts.add('finished');
      this.#send(request, 'reply', reply);
    } catch (error) {
      const failure = toVfError(error, 'internal/unexpected', 'run');
      if (signal.aborted) this.#counts.add('cancelled');
      this.#refuse(request, failure);
    }
  }

  /** Ends a run of the same client. @returns whether there was one */
  #cancel({ peer, payload }: Request): boolean {
    const { request_id: id } = readMap(payload);
    if (typeof id !== 'string') throw malformed('cancel needs request_id, a text');
    const bytes = Buffer.from(id).toString('latin1');
    const found = this.#runs.end(
      peer,
      bytes,
      new VfError('cancelled', 'the rollout was cancelled'),
    );
    if (found) this.#options.log.info('cancelled a run', { request: id });
    return found;
  }

  /** Each once, whatever the models, addresses and processes. */
  #note(note: string): void {
    if (!this.#noted.has(note)) this.#options.log.warn(note);
    this.#noted.add(note);
  }

  #answer(request: Request, fields: JsonRecord): void {
    this.#send(request, 'reply', pack({ success: true, error: null, ...fields }));
  }

  #refuse(request: Request, error: VfError): void {
    const { code, message, hint } = error;
    if (code !== 'cancelled') {
      this.#counts.add('failed');
      this.#options.log.warn('a request failed', { request: request.id, code, message, hint });
    }
    const fix = hint === null ? '' : ` (fix: ${hint})`;
    this.#send(request, 'reply', pack({ success: false, error: `${code}: ${message}${fix}` }));
  }

  #send({ peer, id }: Request, kind: 'delta' | 'reply', body: Uint8Array): void {
    this.#counts.add('sent_bytes', body.length);
    peer.send([Buffer.from(id, 'latin1'), kind, body]);
  }

  #drop(what: string): void {
    this.#counts.add('dropped');
    this.#options.log.warn('dropped a message that is no request', { what });
  }

  /** Nobody will read what its runs bring: they end, queued ones too. */
  #clientGone(peer: Peer, reason: string): void {
    const runs = this.#runs.endOf(peer, new VfError('cancelled', 'the client is gone'));
    if (runs === 0) return;
    this.#counts.add('lost', runs);
    this.#options.log.warn('a client is gone', { reason, runs });
  }
}
