import { readFileSync } from 'node:fs';
import type { ReplySample, RequestSample } from '@vf/testkit/conformance';

/** One exchange of an agent with a scripted model: the request and the exact bytes it was answered with. */
export interface Recorded {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> & { readonly messages: readonly unknown[] };
  readonly response: { readonly status: number; readonly body: string };
}

interface EngineCase {
  readonly engine: string;
  readonly case: string;
  readonly request: { readonly path: string; readonly body: Readonly<Record<string, unknown>> };
  readonly response: {
    readonly status: number;
    readonly content_type: string;
    readonly body: unknown;
  };
}

function linesOf(file: string): readonly unknown[] {
  const text = readFileSync(new URL(`fixtures/${file}`, import.meta.url), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

/** opencode 1.18.33, pi 0.73.1 and Kimi Code 2.1.0: reasoning, parallel calls, a resumed session, images. */
export const agents = {
  opencode: linesOf('opencode.jsonl') as readonly Recorded[],
  pi: linesOf('pi.jsonl') as readonly Recorded[],
  'kimi-code': linesOf('kimi-code.jsonl') as readonly Recorded[],
};

/** llama.cpp's server, vLLM and SGLang. */
export const engineCases = linesOf('engines.jsonl') as readonly EngineCase[];

export function bodyText(response: EngineCase['response']): string {
  return typeof response.body === 'string' ? response.body : JSON.stringify(response.body);
}

const exchanges = Object.entries(agents).flatMap(([agent, recorded]) =>
  recorded.map((exchange, index) => ({ name: `${agent} ${index}`, ...exchange })),
);

const answered = engineCases.filter(({ response }) => response.status === 200);

export const requestSamples: readonly RequestSample[] = [
  ...exchanges.map(({ name, path, body }) => ({ name, path, body })),
  ...answered.map(({ engine, case: name, request: { path, body } }) => ({
    name: `${engine} ${name}`,
    path,
    body,
  })),
];

export const replySamples: readonly ReplySample[] = [
  ...exchanges.map(({ name, response }) => ({ name, stream: true, body: response.body })),
  ...answered.map(({ engine, case: name, response }) => ({
    name: `${engine} ${name}`,
    stream: response.content_type.startsWith('text/event-stream'),
    body: bodyText(response),
  })),
];
