import { decode } from '@msgpack/msgpack';
import { Dealer } from 'zeromq';
import { pack } from '@vf/wire';

export interface Answer {
  /** One character a byte. */
  readonly id: string;
  readonly kind: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A client that says whatever a test wants it to. */
export class TestClient implements AsyncDisposable {
  readonly #socket = new Dealer({ linger: 0 });
  readonly #answers: Answer[] = [];
  #count = 0;

  constructor(address: string) {
    this.#socket.connect(address);
  }

  /** @returns the id of the request */
  async ask(method: string, request: unknown = {}): Promise<string> {
    const id = `r${++this.#count}`;
    await this.frames(id, method, request instanceof Uint8Array ? request : pack(request));
    return id;
  }

  async frames(...frames: (string | Uint8Array)[]): Promise<void> {
    await this.#socket.send(frames);
  }

  /** The reply to a request, and the deltas that came before it. */
  async reply(
    id: string,
  ): Promise<{ readonly reply: Answer['body']; readonly deltas: Answer['body'][] }> {
    for (;;) {
      const last = this.#answers.find((answer) => answer.id === id && answer.kind === 'reply');
      if (last !== undefined) {
        const deltas = this.#answers.filter((one) => one.id === id && one.kind === 'delta');
        return { reply: last.body, deltas: deltas.map(({ body }) => body) };
      }
      await this.#receive();
    }
  }

  async call(method: string, request: unknown = {}): Promise<Answer['body']> {
    return (await this.reply(await this.ask(method, request))).reply;
  }

  async #receive(): Promise<void> {
    const [id, kind, body] = await this.#socket.receive();
    if (id === undefined || kind === undefined || body === undefined) throw new Error('no answer');
    this.#answers.push({
      id: id.toString('latin1'),
      kind: kind.toString(),
      body: decode(body) as Answer['body'],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
  }
}
