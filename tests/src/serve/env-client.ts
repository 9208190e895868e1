import { decode, encode } from '@msgpack/msgpack';
import { Dealer } from 'zeromq';

export type Answer = Readonly<Record<string, unknown>>;

/** A client of the environment protocol, on libzmq. */
export class EnvClient implements Disposable {
  readonly #socket = new Dealer({ linger: 0, sendHighWaterMark: 0, receiveHighWaterMark: 0 });
  readonly #waiting = new Map<string, (reply: Answer) => void>();
  #count = 0;

  constructor(address: string) {
    this.#socket.connect(address);
    void this.#listen();
  }

  /** Sends a request. `reply` comes when the server has answered. */
  async ask(
    method: string,
    body: object = {},
  ): Promise<{ readonly id: string; readonly reply: Promise<Answer> }> {
    const id = `r${++this.#count}`;
    const { promise: reply, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, resolve);
    await this.#socket.send([id, method, encode(body)]);
    return { id, reply };
  }

  async call(method: string, body: object = {}): Promise<Answer> {
    return (await this.ask(method, body)).reply;
  }

  [Symbol.dispose](): void {
    this.#socket.close();
  }

  async #listen(): Promise<void> {
    for await (const [id, kind, body] of this.#socket) {
      if (kind?.toString() !== 'reply' || body === undefined) continue;
      this.#waiting.get(String(id))?.(decode(body) as Answer);
    }
  }
}
