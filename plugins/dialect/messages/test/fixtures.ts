import { recordedLines, replySampleOf, requestSampleOf } from '@vf/testkit/conformance';
import type { EngineCase, ReplySample, RequestSample } from '@vf/testkit/conformance';

/** One exchange of an agent with a scripted model: the request and the exact bytes it was answered with. */
export interface Recorded {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly messages: readonly unknown[] };
  readonly response: { readonly status: number; readonly body: string };
}

const linesOf = (file: string): readonly unknown[] =>
  recordedLines(new URL(`fixtures/${file}`, import.meta.url));

/** Claude Code 2.1.197: thinking, parallel calls, a resumed session, images. */
export const claudeCode = (linesOf('claude-code.jsonl') as readonly Partial<Recorded>[]).filter(
  (exchange): exchange is Recorded => exchange.body != null,
);

/** llama.cpp's server, vLLM and SGLang. */
export const engineCases = linesOf('engines.jsonl') as readonly EngineCase[];

const exchanges = claudeCode.map((exchange, index) => ({
  name: `claude-code ${index}`,
  ...exchange,
}));

const turns = engineCases.filter(({ request }) => request.path === '/v1/messages');
const answered = turns.filter(({ response }) => response.status === 200);

export const requestSamples: readonly RequestSample[] = [
  ...exchanges.map(({ name, path, body }) => ({ name, path, body })),
  ...answered.map(requestSampleOf),
];

export const replySamples: readonly ReplySample[] = [
  ...exchanges.map(({ name, response }) => ({ name, stream: true, body: response.body })),
  ...answered.map(replySampleOf),
];
