import { recordedLines, replySampleOf, requestSampleOf } from '@vf/testkit/conformance';
import type { EngineCase, ReplySample, RequestSample } from '@vf/testkit/conformance';

interface Recorded {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> & { readonly input: readonly unknown[] };
  readonly response?: {
    readonly status: number;
    readonly content_type: string;
    readonly body: string;
  };
}

const linesOf = (file: string): readonly unknown[] =>
  recordedLines(new URL(`fixtures/${file}`, import.meta.url));

/** Codex CLI 0.171.0 at two short turns, no replies kept. */
export const codexShort = linesOf('codex.jsonl') as readonly Recorded[];

/** Codex with reasoning, parallel calls, a resumed session and images; each with the reply it got. */
export const codexRich = linesOf('codex-rich.jsonl') as readonly Recorded[];

/** llama.cpp's server, vLLM and SGLang. */
export const engineCases = linesOf('engines.jsonl') as readonly EngineCase[];

export const requestSamples: readonly RequestSample[] = [
  ...[...codexShort, ...codexRich].map(({ path, body }, index) => ({
    name: `codex ${index}`,
    path,
    body,
  })),
  ...engineCases.filter(({ request }) => request.path === '/v1/responses').map(requestSampleOf),
];

/** Hosted calls between texts, reasoning with and without text, a refusal, a namespaced and a custom call. */
const mixed = {
  id: 'resp_mixed',
  object: 'response',
  status: 'completed',
  model: 'm',
  output: [
    { id: 'rs_0', type: 'reasoning', summary: [], encrypted_content: 'E0' },
    {
      id: 'rs_1',
      type: 'reasoning',
      summary: [
        { type: 'summary_text', text: 'first' },
        { type: 'summary_text', text: 'second' },
      ],
      encrypted_content: 'E1',
    },
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      phase: 'commentary',
      content: [{ type: 'output_text', text: 'Searching. ' }],
    },
    {
      id: 'ws_1',
      type: 'web_search_call',
      status: 'completed',
      action: { type: 'search', query: 'q' },
    },
    {
      id: 'rs_2',
      type: 'reasoning',
      summary: [],
      content: [{ type: 'reasoning_text', text: '\nthird' }],
    },
    {
      id: 'msg_2',
      type: 'message',
      role: 'assistant',
      phase: 'final_answer',
      content: [{ type: 'output_text', text: 'Found.' }],
    },
    {
      id: 'msg_3',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'refusal', refusal: 'Not that.' }],
    },
    { id: 'ctc_1', type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: '*** x' },
    {
      id: 'fc_1',
      type: 'function_call',
      call_id: 'c2',
      name: 'spawn',
      namespace: 'agents',
      arguments: '{}',
    },
  ],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
};

export const replySamples: readonly ReplySample[] = [
  { name: 'every kind of item', stream: false, body: JSON.stringify(mixed) },
  ...codexRich.map(({ response }, index) => ({
    name: `codex ${index}`,
    stream: true,
    body: response?.body ?? '',
  })),
  ...engineCases
    .filter(({ request, response }) => request.path === '/v1/responses' && response.status === 200)
    .map(replySampleOf),
];
