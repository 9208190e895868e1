import type {
  AssistantMessage,
  CallError,
  Exchange,
  Head,
  Message,
  ReadReply,
  Reply,
  TurnTokens,
} from '@vf/core';
import type { EditedRequest, ReadRequest } from '../request/read-request.ts';
import type { Session } from '../session/session.ts';
import { CallRecord } from './call-record.ts';
import { errorOfSend } from './call-errors.ts';
import type { Delivery } from './delivery.ts';
import type { Incoming } from './incoming.ts';
import { prefixOf } from './prefix.ts';
import { isEventStream, refuseStream, relayPlain } from './plain-reply.ts';
import { pauseAfter } from './retry-policy.ts';
import type { AttemptFailure } from './retry-policy.ts';
import { relayStream } from './stream-reply.ts';
import type { TurnUnderWay } from './turn-under-way.ts';

/**
 * One turn of an agent: its request is read and edited, sent as often as the retry policy says, its reply passed on
 * while it is read, and what came of it recorded.
 */
export class Turn implements TurnUnderWay {
  readonly session: Session;
  readonly incoming: Incoming;
  readonly delivery: Delivery;
  readonly start: number;
  readonly #abort = new AbortController();
  readonly #request: ReadRequest;
  #edited: EditedRequest | null = null;
  #rewrites: ReadonlyMap<number, Message> = new Map();
  #grace: NodeJS.Timeout | null = null;
  #stopped: CallError | null = null;
  #isRecorded = false;
  #tokens: Reply['tokens'];
  replyHead: Head | null = null;
  isFinishing = false;

  constructor(session: Session, incoming: Incoming, delivery: Delivery) {
    this.session = session;
    this.incoming = incoming;
    this.delivery = delivery;
    this.start = session.clock.now();
    this.#request = session.memoryOf(incoming.dialect).read(incoming.body, incoming.path);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isBuffered(): boolean {
    return this.session.spec.rewriteReply !== undefined;
  }

  get edited(): EditedRequest {
    this.#edited ??= this.#request.edited(
      this.session.wanted(this.#request.settings),
      this.#rewrites,
    );
    return this.#edited;
  }

  /** Never rejects. @returns whether a reply was recorded and is on its way */
  async run(): Promise<boolean> {
    const refusal = this.session.refusal();
    if (refusal !== null) {
      this.#refuse(refusal);
      return false;
    }
    try {
      const { promptRewrites } = this.session;
      if (promptRewrites !== null)
        this.#rewrites = await promptRewrites.decide(this.#request, this.signal);
      await this.#attempts();
    } catch (error) {
      this.session.log.error('a turn failed', {
        error: String(error),
        endpoint: this.incoming.path,
      });
      if (this.delivery.hasBegun) this.delivery.cut();
      else this.fail({ status: 400, code: 'aborted', message: 'the call could not be completed' });
    }
    this.#endGrace();
    return this.#isRecorded;
  }

  /** Ends the turn from our side: the agent hears `error`, upstream is dropped. */
  stop(error: CallError): void {
    if (this.#stopped !== null) return;
    this.#stopped = error;
    this.fail(error);
    this.#abort.abort();
  }

  /** Tells the agent in the dialect's shape, as far as its reply still can. */
  fail(error: CallError): void {
    const { dialect } = this.incoming;
    if (this.delivery.isOver) return;
    if (this.delivery.hasBegun) {
      this.delivery.write(dialect.errorEvent(error));
      this.delivery.end();
      return;
    }
    const { head, body } = dialect.error(error);
    this.delivery.whole(head, [body]);
  }

  /** Nobody reads the reply any more: after a while the call is given up. */
  abandon(): void {
    if (this.delivery.isOver) return;
    this.#endGrace();
    const giveUp = (): void => {
      this.#grace = null;
      if (this.delivery.isAbandoned && !this.isFinishing) this.#abort.abort();
    };
    if (this.session.isClosing) giveUp();
    else this.#grace = setTimeout(giveUp, this.session.limits.clientGoneGrace);
  }

  /** Called about once a second while a streamed reply is awaited or under way. */
  beat(now: number): void {
    const { delivery, incoming, session } = this;
    if (delivery.isOver || !this.#request.settings.stream) return;
    if (!delivery.hasBegun) {
      if (now - this.start >= session.limits.earlyHead)
        delivery.begin(this.replyHead ?? earlyHead, true);
    } else if (now - delivery.lastWrite >= session.limits.keepAlive) {
      delivery.comment(incoming.dialect.keepAlive());
    }
  }

  async commit(
    record: CallRecord,
    reply: ReadReply,
    told: AssistantMessage | null = null,
  ): Promise<void> {
    const { session } = this;
    const tokens = this.#tokens === undefined ? null : await this.#tokens;
    record.weights = tokens?.weights;
    record.origin = tokens?.origin;
    record.counts = tokens?.counts;
    const node =
      reply.message === null || !this.#request.parsed
        ? null
        : this.#commitNodes(reply.message, told, tokens);
    if (node !== null && reply.id !== null) session.replies.set(reply.id, node);
    const call = record.ended(session.clock.now(), node, reply, null);
    await session.record(call);
    this.#isRecorded = true;
  }

  async failed(
    record: CallRecord,
    error: CallError,
    rest: { readonly reply?: ReadReply | null; readonly answer?: AttemptFailure['answer'] } = {},
  ): Promise<AttemptFailure> {
    const said = this.#abort.signal.aborted ? this.#abortedBy(error) : error;
    await this.session.record(
      record.ended(this.session.clock.now(), null, rest.reply ?? null, said),
    );
    return { error: said, answer: rest.answer ?? null, isReset: error.status === 0 };
  }

  #abortedBy(error: CallError): CallError {
    const why = this.#stopped?.message ?? 'the agent went away';
    return { status: error.status, code: 'aborted', message: why };
  }

  #refuse(refusal: CallError): void {
    this.fail({ ...refusal, status: 400 });
    if (this.session.isOver || !this.#request.parsed) return;
    // What the agent was about to ask belongs to its record all the same.
    const { trace } = this.session.spec;
    const timestamp = this.session.clock.now() / 1000;
    this.#request.settle(
      trace.graph.commit(this.#request.at, this.#request.tail, null, { timestamp }),
    );
  }

  async #attempts(): Promise<void> {
    const { clock, limits } = this.session;
    for (let attempt = 1; !this.signal.aborted; attempt++) {
      const failure = await this.#attempt(attempt);
      if (failure === null) return;
      const pause = this.delivery.hasBegun ? null : pauseAfter(failure, attempt, limits);
      if (pause === null) return this.#giveUp(failure);
      if (pause > 0) await clock.sleep(pause, this.signal);
    }
    this.delivery.cut();
  }

  /** One send, recorded. null when the reply is delivered, or cannot be any more. */
  async #attempt(attempt: number): Promise<AttemptFailure | null> {
    const record = this.#record(attempt);
    let reply: Reply;
    try {
      reply = await this.session.spec.client.send(this.#exchange(attempt), this.signal);
    } catch (error) {
      return this.failed(record, errorOfSend(error));
    }
    record.status = reply.head.status;
    this.#tokens = reply.tokens;
    // A reply that fails is not committed, and nobody asks for its tokens.
    reply.tokens?.catch(() => undefined);
    if (!isEventStream(reply.head)) return await relayPlain(this, record, reply);
    const isAsked = this.#request.settings.stream || !this.#request.parsed;
    return await (isAsked ? relayStream : refuseStream)(this, record, reply);
  }

  /** No further attempt: the agent gets what the provider said, or hears why there is no answer. */
  #giveUp({ error, answer }: AttemptFailure): void {
    if (this.signal.aborted) return this.delivery.cut();
    if (answer === null || this.delivery.hasBegun) {
      return this.fail(error.status < 400 ? { ...error, status: 502 } : error);
    }
    this.delivery.whole(answer.head, answer.body);
  }

  #record(attempt: number): CallRecord {
    const { session, incoming } = this;
    const { settings } = this.#request;
    return new CallRecord({
      dialect: incoming.dialect.id,
      endpoint: incoming.path,
      requestedModel: settings.model,
      settings: this.edited.settings,
      attempt,
      start: session.clock.now(),
      price: session.spec.price,
      unknownReply: this.#unknownReply(),
    });
  }

  #exchange(attempt: number): Exchange {
    const { incoming, edited, session } = this;
    const request = this.#request;
    const unknownReply = this.#unknownReply();
    return {
      rollout: session.rollout,
      kind: 'turn',
      dialect: incoming.dialect,
      attempt,
      request: {
        method: incoming.method,
        path: edited.path,
        headers: incoming.headers,
        body: edited.body,
      },
      call: (options) => edited.call(options),
      prefix: () => prefixOf(session.spec.trace.graph, request),
      ...(unknownReply === null ? {} : { unknownReply }),
    };
  }

  #unknownReply(): string | null {
    const { continues } = this.#request;
    return continues !== null && continues.node === null ? continues.id : null;
  }

  #commitNodes(
    message: AssistantMessage,
    told: AssistantMessage | null,
    tokens: TurnTokens | null,
  ): number | null {
    const request = this.#request;
    const { graph } = this.session.spec.trace;
    const prompt = request.tail.map(({ said }, index) => {
      const sent = this.#rewrites.get(index);
      return sent === undefined ? { said } : { said, sent };
    });
    const timestamp = this.session.clock.now() / 1000;
    const { restates } = this.incoming.dialect.request;
    // Tokens of a reply that the agent never saw do not say what it went on from.
    const turn = tokens === null || told !== null ? {} : { turn: tokens };
    const reply = { message, ...turn };
    const committed = graph.commit(request.at, prompt, reply, { timestamp, restates });
    if (told !== null && committed.reply !== null) {
      const at = {
        node: committed.prompt.at(-1) ?? request.at.node,
        toolList: request.at.toolList,
      };
      graph.addBeside(at, told, [{ node: committed.reply, type: 'rewrite' }], timestamp);
    }
    request.settle(committed);
    this.session.promptRewrites?.settle(request);
    return committed.reply;
  }

  #endGrace(): void {
    if (this.#grace !== null) clearTimeout(this.#grace);
    this.#grace = null;
  }
}

/** The head of a reply whose provider is silent for long. */
const earlyHead: Head = {
  status: 200,
  headers: ['content-type', 'text/event-stream; charset=utf-8', 'cache-control', 'no-cache'],
};
