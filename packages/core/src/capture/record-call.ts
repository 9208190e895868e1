import type { CallError, Settings } from '../call.ts';
import { sameReply } from '../dialect-kit/same-reply.ts';
import type { PromptMessage, Restates } from '../trace/graph.ts';
import { isSameMessage } from '../trace/identity.ts';
import type { Trace } from '../trace/trace.ts';
import { errorOfThrown } from './call-error.ts';
import type { ModelForm, ModelReply, ModelRequest } from './model.ts';
import { badReply, turnTokensOf } from './reply-tokens.ts';

/** A call that came back, with a reply or without. Times are Unix seconds. */
interface Ended {
  readonly request: ModelRequest;
  readonly start: number;
  readonly end: number;
}

/** Records each call of one model in one trace. */
export class CallRecorder<Args extends readonly unknown[], Result> {
  readonly #trace: Trace;
  readonly #form: ModelForm<Args, Result>;
  readonly #now: () => number;
  readonly #restates: Restates;
  #underWay = 0;
  #busySince = 0;
  #busy = 0;
  #isClosed = false;

  constructor(trace: Trace, form: ModelForm<Args, Result>, now: () => number) {
    this.#trace = trace;
    this.#form = form;
    this.#now = now;
    this.#restates = (sampled, restated) =>
      form.restates?.(sampled, restated) ?? sameReply(sampled, restated);
  }

  /** Seconds with a call under way. */
  get busy(): number {
    return this.#busy + (this.#underWay > 0 ? this.#now() - this.#busySince : 0);
  }

  /** Calls that are still under way leave no record. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Makes the call. @returns the very result of the model
   * @throws what the model throws; VfError provider/malformed when its tokens cannot be those of the call
   */
  async record(model: (...args: Args) => Promise<Result>, args: Args): Promise<Result> {
    const { messages, ...rest } = this.#form.request(...args);
    // A loop goes on with its list while a call of another branch is under way.
    const request = { messages: [...messages], ...rest };
    const start = this.#begin();
    let result: Result;
    try {
      result = await model(...args);
    } catch (error) {
      const end = this.#end();
      if (!this.#isClosed) this.#add({ request, start, end }, null, errorOfThrown(error));
      throw error;
    }
    const end = this.#end();
    if (!this.#isClosed) this.#commit({ request, start, end }, result);
    return result;
  }

  #begin(): number {
    const start = this.#now();
    if (this.#underWay++ === 0) this.#busySince = start;
    return start;
  }

  #end(): number {
    const end = this.#now();
    if (--this.#underWay === 0) this.#busy += end - this.#busySince;
    return end;
  }

  #commit(ended: Ended, result: Result): void {
    let given: { readonly node: number; readonly reply: ModelReply };
    try {
      const reply = this.#form.reply(result);
      given = { node: this.#commitNodes(ended, reply), reply };
    } catch (error) {
      const failure = badReply(error);
      this.#add(ended, null, { status: 0, code: 'malformed', message: failure.message });
      throw failure;
    }
    this.#add(ended, given, null);
  }

  #commitNodes({ request, end }: Ended, { message, told, sent, tokens }: ModelReply): number {
    const { graph } = this.#trace;
    const restates = this.#restates;
    const prompt = promptOf(request, sent);
    const turn = tokens === undefined ? null : turnTokensOf(tokens);
    const said = prompt.map((each) => each.said);
    const { at, matched } = graph.walk(graph.start(request.tools ?? []), said, restates);
    // Copies, since a message is known by its object: a model may hand out the same ones, changed.
    const isTold = told !== undefined && !isSameMessage({ ...told }, { ...message });
    // Tokens of a reply that the loop never saw do not say what it went on from.
    const kept = keptOf(message);
    const reply = turn === null || isTold ? { message: kept } : { message: kept, turn };
    const options = { timestamp: end, restates };
    const added = prompt.slice(matched).map(keptOf);
    const committed = graph.commit(at, added, reply, options);
    const node = committed.reply ?? 0;
    if (isTold) {
      const place = { node: committed.prompt.at(-1) ?? at.node, toolList: at.toolList };
      graph.addBeside(place, keptOf(told), [{ node, type: 'rewrite' }], end);
    }
    return node;
  }

  #add(
    { request, start, end }: Ended,
    given: { readonly node: number; readonly reply: ModelReply } | null,
    error: CallError | null,
  ): void {
    const settings: Settings = {
      model: this.#trace.agent.model,
      stream: false,
      ...this.#trace.agent.sampling,
      ...request.settings,
    };
    const reply = given?.reply;
    this.#trace.calls.push({
      node: given?.node ?? null,
      dialect: 'capture',
      endpoint: '',
      requestedModel: settings.model,
      model: reply?.model ?? settings.model,
      settings,
      finish: reply?.finish ?? null,
      rawFinish: reply?.finish ?? null,
      usage: reply?.usage ?? null,
      cost: reply?.cost ?? reply?.usage?.cost ?? null,
      status: null,
      attempt: 1,
      start,
      end,
      firstByte: null,
      error,
      ...(reply?.id === undefined ? {} : { responseId: reply.id }),
      ...(reply?.tokens?.weights === undefined ? {} : { weights: reply.tokens.weights }),
      ...(reply?.tokens?.origin === undefined ? {} : { origin: reply.tokens.origin }),
    });
  }
}

/** A copy: loops shorten and rewrite the messages that they hold, and the record must not follow. */
function keptOf<T>(messages: T): T {
  try {
    return structuredClone(messages);
  } catch {
    // Something in it is a function, which no record holds either.
    return messages;
  }
}

function promptOf(
  { messages }: ModelRequest,
  sent: ModelReply['sent'] = messages,
): PromptMessage[] {
  if (sent.length !== messages.length) {
    throw new RangeError(`${sent.length} messages were sent for ${messages.length} said`);
  }
  return messages.map((message, at) => {
    const seen = sent[at] ?? message;
    // Objects of this call alone: the graph knows a message by its object, and loops change theirs.
    const said = { ...message };
    return seen === message || isSameMessage({ ...seen }, said) ? { said } : { said, sent: seen };
  });
}
