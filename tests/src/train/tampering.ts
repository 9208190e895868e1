import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server before an engine: passes everything on, and changes what the engine answers to one path. */
export interface Tampering extends AsyncDisposable {
  readonly url: string;
  /** Bodies of the calls of that path. */
  readonly asked: readonly string[];
}

type Change = (answer: Record<string, unknown>) => void;

/** @param change of a JSON answer; `cut` breaks the connection when the first bytes of the answer have come */
export async function tampering(
  url: string,
  path: string,
  change: Change | 'cut',
): Promise<Tampering> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      const answer = await fetch(url + (request.url ?? ''), {
        method: request.method ?? 'GET',
        ...(body === '' ? {} : { body, headers: { 'content-type': 'application/json' } }),
      });
      const isHit = request.url === path;
      if (isHit) asked.push(body);
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? '',
      });
      if (isHit && change === 'cut') {
        for await (const chunk of answer.body ?? []) {
          response.write(chunk, () => response.destroy());
          break;
        }
        return;
      }
      const text = await answer.text();
      if (!isHit || typeof change === 'string') {
        response.end(text);
        return;
      }
      const json = JSON.parse(text) as Record<string, unknown>;
      change(json);
      response.end(JSON.stringify(json));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
