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

/** opencode 1.18.33, pi 0.73.1 and Kimi Code 2.1.0: reasoning, parallel calls, a resumed session, images. */
export const agents = {
  opencode: linesOf('opencode.jsonl') as readonly Recorded[],
  pi: linesOf('pi.jsonl') as readonly Recorded[],
  'kimi-code': linesOf('kimi-code.jsonl') as readonly Recorded[],
};

/** llama.cpp's server, vLLM and SGLang. */
export const engineCases = linesOf('engines.jsonl') as readonly EngineCase[];

const exchanges = Object.entries(agents).flatMap(([agent, recorded]) =>
  recorded.map((exchange, index) => ({ name: `${agent} ${index}`, ...exchange })),
);

const answered = engineCases.filter(({ response }) => response.status === 200);

export const requestSamples: readonly RequestSample[] = [
  ...exchanges.map(({ name, path, body }) => ({ name, path, body })),
  ...answered.map(requestSampleOf),
];

export const replySamples: readonly ReplySample[] = [
  ...exchanges.map(({ name, response }) => ({ name, stream: true, body: response.body })),
  ...answered.map(replySampleOf),
];
