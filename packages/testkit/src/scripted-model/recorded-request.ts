import type { IncomingMessage, ServerResponse } from 'node:http';
import { unpack } from './packing.ts';
import type { Route } from './routes.ts';
import type { ScriptedRequest } from './script.ts';

/** How an exchange ended: `gone` means that the client closed it before the reply was complete. */
export type Outcome = 'open' | 'answered' | 'cut' | 'gone';

/** One request that came, with its bytes as they were sent. */
export class RecordedRequest {
  readonly method: string;
  /** Query included. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Name, value, name, value, …: case and order kept. */
  readonly rawHeaders: readonly string[];
  readonly route: Route;
  /** As received, packed or not. */
  readonly body: Buffer;
  /** What the script was asked; null for other routes, refused keys and instant scripts. */
  call: ScriptedRequest | null = null;
  outcome: Outcome = 'open';
  /** Settles when the reply is over, whatever its end. */
  readonly over: Promise<Outcome>;

  constructor(request: IncomingMessage, response: ServerResponse, route: Route, body: Buffer) {
    this.method = request.method ?? 'GET';
    this.path = request.url ?? '/';
    this.headers = request.headers;
    this.rawHeaders = request.rawHeaders;
    this.route = route;
    this.body = body;
    this.over = new Promise((resolve) => {
      response.once('close', () => {
        if (this.outcome === 'open') this.outcome = response.writableFinished ? 'answered' : 'gone';
        resolve(this.outcome);
      });
    });
  }

  /** The unpacked body as text. */
  get text(): string {
    return unpack(this.body, this.headers['content-encoding']).toString('utf8');
  }

  /** The parsed body. @throws SyntaxError when it is not JSON */
  get json(): unknown {
    return JSON.parse(this.text) as unknown;
  }
}
