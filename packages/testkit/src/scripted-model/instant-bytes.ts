import { piecesOfStream } from './framing.ts';
import { planReply } from './plan.ts';
import type { Step, Wire } from './script.ts';

/** Head and body of a reply, made once. */
export interface InstantReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The bytes of one reply for each dialect, streamed and plain, made on first use. */
export class InstantBytes {
  readonly #steps: readonly Step[];
  readonly #model: string;
  readonly #made = new Map<string, InstantReply>();

  constructor(steps: readonly Step[], model: string) {
    this.#steps = steps;
    this.#model = model;
  }

  /** The reply to a request with this body, which is searched, not parsed. */
  replyTo(dialect: Wire, body: Buffer): InstantReply {
    const stream = asks(body, 'stream');
    const includeUsage = stream && asks(body, 'include_usage');
    const key = `${dialect} ${stream} ${includeUsage}`;
    const made = this.#made.get(key) ?? this.#make(dialect, stream, includeUsage);
    this.#made.set(key, made);
    return made;
  }

  #make(dialect: Wire, stream: boolean, includeUsage: boolean): InstantReply {
    const told = { model: this.#model, call: 1, bodyBytes: 400, limit: null };
    const input = { dialect, stream, includeUsage, ...told };
    const plan = planReply(this.#steps, input);
    if (!('body' in plan) || plan.status !== 200 || plan.cut !== null)
      throw new TypeError('an instant reply is a whole one: no failure, no cut, no hang');
    const body =
      typeof plan.body === 'string'
        ? Buffer.from(plan.body)
        : Buffer.concat(
            piecesOfStream(plan.body, {}).flatMap((piece) =>
              'bytes' in piece ? [piece.bytes] : [],
            ),
          );
    return { headers: plan.headers, body };
  }
}

/** Inside a JSON string the quotes would be escaped, so this finds keys only. */
function asks(body: Buffer, key: string): boolean {
  return body.includes(`"${key}":true`) || body.includes(`"${key}": true`);
}
