import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byteIds, byteTokenizer, byteTokenizerJson } from '@vf/testkit';

/** A server that speaks llama.cpp's `/completion` and samples what a script says to the text of a prompt. Fails where it throws. */
export interface EngineServer extends AsyncDisposable {
  readonly url: string;
  readonly model: string;
  /** Config of a run that trains through it. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Ids of each prompt and of what was sampled after it. */
  readonly sampled: {
    readonly prompt: readonly number[];
    readonly completion: readonly number[];
    /** What else was asked beside the prompt. */
    readonly asked: Readonly<Record<string, unknown>>;
  }[];
}

export async function engineServer(script: (prompt: string) => string): Promise<EngineServer> {
  const sampled: EngineServer['sampled'] = [];
  const complete = (body: string): object => {
    const { prompt, ...asked } = JSON.parse(body) as { prompt: number[] };
    const completion = byteIds(script(textOf(prompt)));
    sampled.push({ prompt, completion, asked });
    return {
      tokens: completion,
      completion_probabilities: completion.map((id) => ({ id, logprob: -0.25 })),
      stop_type: 'eos',
    };
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const isProps = request.url === '/props';
      try {
        const answer = isProps
          ? { default_generation_settings: { n_ctx: 1_000_000 } }
          : request.url === '/completion'
            ? complete(text)
            : { object: 'list', data: [{ id: 'policy' }] };
        const isStreamed = !isProps && text.includes('"stream":true');
        const type = isStreamed ? 'text/event-stream' : 'application/json';
        response.writeHead(200, { 'content-type': type });
        response.end(isStreamed ? streamOf(answer) : JSON.stringify(answer));
      } catch (error) {
        response.writeHead(500, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { code: 500, message: String(error) } }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const tokenizer = await mkdtemp(join(tmpdir(), 'vf-bytes-'));
  await writeFile(join(tokenizer, 'tokenizer.json'), JSON.stringify(byteTokenizerJson()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    model: 'policy',
    config: {
      'client.type': 'train',
      'client.engine': 'llama.cpp',
      'client.renderer': 'qwen3',
      'client.tokenizer': tokenizer,
    },
    sampled,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(tokenizer, { recursive: true, force: true });
    },
  };
}

/** An answer as events: each id in one of its own, then what ends them. */
function streamOf(answer: object): string {
  const { tokens = [], completion_probabilities: told = [], ...rest } = answer as Completion;
  const events = [
    ...tokens.map((id, at) => ({
      tokens: [id],
      completion_probabilities: [told[at]],
      stop: false,
    })),
    { ...rest, tokens: [], stop: true, tokens_predicted: tokens.length },
  ];
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

interface Completion {
  readonly tokens?: readonly number[];
  readonly completion_probabilities?: readonly object[];
}

function textOf(ids: readonly number[]): string {
  return Buffer.concat(ids.map((id) => byteTokenizer.bytes(id))).toString();
}
