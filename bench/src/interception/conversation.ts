import { Agent, request } from 'undici';
import type { Place } from './child.ts';
import { said } from './upstream.ts';

const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** A conversation that grows by two kilobytes a turn and sends all of it each time, as agents do. */
export class Conversation {
  readonly #place: Place;
  readonly #isStreamed: boolean;
  #messages = JSON.stringify({ role: 'system', content: 'You are an agent. '.repeat(100) });
  #turn = 0;

  constructor(place: Place, isStreamed: boolean) {
    this.#place = place;
    this.#isStreamed = isStreamed;
  }

  async play(turns: number): Promise<void> {
    for (let i = 0; i < turns; i++) await this.#next();
  }

  async #next(): Promise<void> {
    this.#turn++;
    const result = `result ${this.#turn}: ${'some output of a tool. '.repeat(35)}`;
    this.#messages += `,${JSON.stringify({ role: 'user', content: result })}`;
    const options = this.#isStreamed
      ? '"stream":true,"stream_options":{"include_usage":true},'
      : '';
    const { body, statusCode } = await request(
      `${this.#place.url}/v1/chat/completions${this.#isStreamed ? '?stream' : ''}`,
      {
        dispatcher: agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${this.#place.bearer}`,
        },
        body: `{"model":"m",${options}"messages":[${this.#messages}]}`,
      },
    );
    await body.dump({ limit: 64 * 1024 * 1024 });
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    this.#messages += `,${JSON.stringify({ role: 'assistant', content: said })}`;
  }
}
