import type { IncomingMessage, ServerResponse } from 'node:http';
import { deliver } from './deliver.ts';
import { InstantBytes } from './instant-bytes.ts';
import { planReply } from './plan.ts';
import { unpack } from './packing.ts';
import { RecordedRequest } from './recorded-request.ts';
import { CallCounter, keyOf } from './requests/parse.ts';
import { record } from './requests/content.ts';
import { routeOf } from './routes.ts';
import type { Route } from './routes.ts';
import type { Reply, Script, ScriptedRequest, Step, Wire } from './script.ts';
import { answerAside } from './side-routes.ts';
import { fail, stepsOf } from './steps.ts';

interface ExchangeOptions {
  readonly script: Script;
  readonly model?: string;
  readonly key?: string;
  readonly record?: boolean;
}

/** Answers requests by script and remembers them. */
export class ScriptedExchange {
  readonly model: string;
  readonly requests: RecordedRequest[] = [];
  readonly faults: unknown[] = [];
  readonly #options: ExchangeOptions;
  readonly #calls = new CallCounter();
  readonly #instant: InstantBytes | null;
  readonly #waiting = new Set<{ readonly count: number; readonly resolve: () => void }>();
  #turns = 0;

  constructor(options: ExchangeOptions) {
    this.model = options.model ?? 'scripted';
    this.#options = options;
    this.#instant =
      'instant' in options.script ? new InstantBytes(options.script.instant, this.model) : null;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (body === null) return;
    try {
      const route = routeOf(request.method ?? 'GET', request.url ?? '/');
      const recorded = this.#record(request, response, route, body);
      if (route.kind === 'turn') await this.#turn(route.dialect, request, response, body, recorded);
      else answerAside(route, request, response, { model: this.model, body });
    } catch (error) {
      this.faults.push(error);
      response.destroy();
    }
  }

  /** Resolves when `count` turns have come. */
  received(count: number): Promise<void> {
    if (this.#turns >= count) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.add({ count, resolve }));
  }

  #record(
    request: IncomingMessage,
    response: ServerResponse,
    route: Route,
    body: Buffer,
  ): RecordedRequest | null {
    if (this.#options.record === false) return null;
    const recorded = new RecordedRequest(request, response, route, body);
    this.requests.push(recorded);
    return recorded;
  }

  async #turn(
    dialect: Wire,
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
    recorded: RecordedRequest | null,
  ): Promise<void> {
    this.#count();
    if (this.#instant !== null && this.#admits(request)) {
      const reply = this.#instant.replyTo(dialect, body);
      response.writeHead(200, { ...reply.headers, 'content-length': reply.body.length });
      response.end(reply.body);
      return;
    }
    const { steps, call } = await this.#decide(dialect, request, body);
    if (recorded !== null) recorded.call = call;
    const plan = planReply(steps, {
      dialect,
      stream: call?.stream ?? false,
      model: this.model,
      call: call?.call ?? 0,
      bodyBytes: body.length,
      includeUsage: record(call?.body['stream_options'])['include_usage'] === true,
      limit: limitOf(call?.body['n_predict']),
    });
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    if (recorded !== null && steps.some((step) => step.type === 'cut' || step.type === 'hang-up'))
      response.prependOnceListener('close', () => (recorded.outcome = 'cut'));
    await deliver(plan, response, gone.signal);
  }

  async #decide(
    dialect: Wire,
    request: IncomingMessage,
    body: Buffer,
  ): Promise<{ steps: readonly Step[]; call: ScriptedRequest | null }> {
    if (!this.#admits(request)) return { steps: [fail(401, { message: 'wrong key' })], call: null };
    try {
      const bytes = unpack(body, request.headers['content-encoding']);
      const call = this.#calls.read(dialect, request.headers, bytes);
      return { steps: await this.#ask(call), call };
    } catch (error) {
      if (error instanceof SyntaxError)
        return { steps: [fail(400, { message: error.message })], call: null };
      throw error;
    }
  }

  async #ask(call: ScriptedRequest): Promise<readonly Step[]> {
    const { script } = this.#options;
    if ('instant' in script) return script.instant;
    if (typeof script !== 'function')
      return stepsOf(script[call.conversationCall - 1] ?? overTheEnd(script));
    try {
      return stepsOf(await script(call));
    } catch (error) {
      this.faults.push(error);
      return [fail(500, { code: 'script_failed', message: `the script threw: ${String(error)}` })];
    }
  }

  #admits(request: IncomingMessage): boolean {
    return this.#options.key === undefined || keyOf(request.headers) === this.#options.key;
  }

  #count(): void {
    this.#turns++;
    for (const waiter of this.#waiting) {
      if (this.#turns < waiter.count) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }
}

/** llama.cpp's −1 is any number. */
function limitOf(asked: unknown): number | null {
  return typeof asked === 'number' && asked >= 0 ? asked : null;
}

function overTheEnd(script: readonly Reply[]): Reply {
  const message = `the script holds ${script.length} replies and this conversation asks for one more`;
  return fail(400, { code: 'script_exhausted', message });
}

/** null when the client went away before its request was complete. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return null;
  }
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
