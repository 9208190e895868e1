import { decode, encode } from '@msgpack/msgpack';
import { Dealer } from 'zeromq';

interface Reply {
  readonly success: boolean;
  readonly error: string | null;
  readonly head?: { readonly ok: boolean };
}

interface Delta {
  readonly errors?: readonly { readonly message: string }[];
}

/** Asks an environment server for episodes of one sum. */
export class ServerClient {
  readonly #socket = new Dealer({ linger: 0, sendHighWaterMark: 0, receiveHighWaterMark: 0 });
  readonly #modelUrl: string;
  #count = 0;

  constructor(address: string, modelUrl: string) {
    this.#socket.connect(address);
    this.#modelUrl = modelUrl;
  }

  /** Plays `count` episodes, `atOnce` of them at a time. @throws Error when one was not scored, with what its trace says */
  async play(count: number, atOnce: number): Promise<void> {
    let failure: string | undefined;
    for (let i = 0; i < Math.min(atOnce, count); i++) await this.#ask();
    for (let done = 0, asked = Math.min(atOnce, count); done < count;) {
      const [, kind, body] = await this.#socket.receive();
      if (body === undefined) continue;
      if (kind?.toString() !== 'reply') {
        failure ??= (decode(body) as Delta).errors?.[0]?.message;
        continue;
      }
      const reply = decode(body) as Reply;
      if (reply.head?.ok !== true) {
        throw new Error(reply.error ?? failure ?? 'an episode was not scored');
      }
      done++;
      if (asked < count) {
        asked++;
        await this.#ask();
      }
    }
  }

  close(): void {
    this.#socket.close();
  }

  async #ask(): Promise<void> {
    const request = {
      task_data: { idx: 0, prompt: 'What is 2 + 2?', answer: 4 },
      client: { type: 'eval', base_url: `${this.#modelUrl}/v1`, api_key_var: 'VF_BENCH_NO_KEY' },
      model: 'scripted',
      sampling: {},
    };
    await this.#socket.send([`r${++this.#count}`, 'run', encode(request)]);
  }
}
