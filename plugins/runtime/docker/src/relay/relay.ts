import type { Http2Server, ServerHttp2Stream } from 'node:http2';
import { createServer } from 'node:http2';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { VfError } from '@vf/core/errors';
import type { Listening, Order } from './helper.ts';

const windowBytes = 1 << 20;
const allWindowsBytes = 1 << 28;
const mostStreams = 10_000;

/** Takes over a connection that a program in the box made. */
export type Accept = (connection: Duplex) => void;

interface Waiting<Value> {
  readonly resolve: (value: Value) => void;
  readonly reject: (reason: unknown) => void;
}

/** The host's end of a relay: opens ports on the loopback of a box, and reaches those of its programs. */
export class Relay {
  readonly #server: Http2Server;
  readonly #wire: Duplex;
  readonly #control = Promise.withResolvers<ServerHttp2Stream>();
  readonly #accepts = new Map<number, Accept>();
  readonly #listening = new Map<number, Waiting<number>>();
  readonly #dialling = new Map<number, Waiting<Duplex>>();
  #count = 0;
  #ended: VfError | null = null;

  /** @param wire to the helper, which speaks first; it must not error */
  constructor(wire: Duplex) {
    this.#wire = wire;
    this.#server = createServer({
      settings: { maxConcurrentStreams: mostStreams, initialWindowSize: windowBytes },
    });
    this.#server.on('session', (session) => {
      session.setLocalWindowSize(allWindowsBytes);
      session.on('error', () => {});
    });
    this.#server.on('stream', (stream, headers) => this.#route(stream, headers[':path'] ?? ''));
    this.#server.on('sessionError', () => {});
    this.#control.promise.catch(() => {});
    this.#server.emit('connection', wire);
  }

  /**
   * Opens a port on the box's 127.0.0.1 for as long as the relay lives; gives its number and what closes it with all
   * connections made there.
   */
  async listen(accept: Accept): Promise<{ port: number; close: () => void }> {
    const id = (this.#count += 1);
    const open = new Set<Duplex>();
    this.#accepts.set(id, (connection) => {
      open.add(connection);
      connection.once('close', () => open.delete(connection));
      accept(connection);
    });
    const { promise, ...waiting } = Promise.withResolvers<number>();
    // A relay that ends before the order is sent rejects that, and this too.
    promise.catch(() => {});
    this.#listening.set(id, waiting);
    await this.#send({ do: 'listen', id });
    const port = await promise;
    const close = (): void => {
      this.#accepts.delete(id);
      for (const connection of open) connection.destroy();
      this.#send({ do: 'close', id }).catch(() => {});
    };
    return { port, close };
  }

  /** A connection to a port of the box. */
  async dial(port: number): Promise<Duplex> {
    const id = (this.#count += 1);
    const { promise, ...waiting } = Promise.withResolvers<Duplex>();
    promise.catch(() => {});
    this.#dialling.set(id, waiting);
    await this.#send({ do: 'dial', id, port });
    return promise;
  }

  /** @param words why, where the helper has said so */
  close(words = ''): void {
    this.#fail(words);
    // Not the session, which would say goodbye first: on a dead wire Node ends the whole process over that.
    this.#wire.destroy();
  }

  async #send(order: Order): Promise<void> {
    const control = await this.#control.promise;
    if (this.#ended !== null) throw this.#ended;
    control.write(`${JSON.stringify(order)}\n`);
  }

  #route(stream: ServerHttp2Stream, path: string): void {
    stream.on('error', () => {});
    const [, kind, id] = path.split('/');
    // The far end may have given up already; who waits for it then gets a dead connection.
    if (!stream.destroyed) stream.respond({ ':status': 200 });
    if (kind === 'control') return this.#listenTo(stream);
    const number = Number(id);
    if (kind === 'dialled') {
      this.#dialling.get(number)?.resolve(stream);
      this.#dialling.delete(number);
      return;
    }
    const accept = this.#accepts.get(number);
    if (accept === undefined) stream.destroy();
    else accept(stream);
  }

  #listenTo(control: ServerHttp2Stream): void {
    createInterface({ input: control }).on('line', (line) => {
      const { id, port } = JSON.parse(line) as Listening;
      this.#listening.get(id)?.resolve(port);
      this.#listening.delete(id);
    });
    this.#control.resolve(control);
  }

  #fail(words: string): void {
    const message = ['the relay of the box has ended', words].filter(Boolean).join(': ');
    const error = (this.#ended ??= new VfError('runtime/unreachable', message));
    this.#control.reject(error);
    for (const waiting of [...this.#listening.values(), ...this.#dialling.values()]) {
      waiting.reject(error);
    }
    this.#listening.clear();
    this.#dialling.clear();
  }
}
