import type { Episode } from '../src/trace/episode.ts';
import { Trace } from '../src/trace/trace.ts';
import { asSaid, assistant, system, toolCall, user } from './messages.ts';
import { modelCall } from './trace.ts';

const task = {
  type: 'files',
  key: 'rename-3',
  hash: 'ab'.repeat(32),
  data: {
    name: 'Rename a file',
    prompt: [user('Rename a.txt to b.txt.')],
    systemPrompt: 'You have a shell.',
    image: 'python:3.12',
    resources: { cpu: 1, memoryMb: 2048 },
    timeouts: { agent: 90_500 },
    network: { mode: 'allowlist', hosts: ['pypi.org'] },
    artifacts: ['out', { source: 'logs', exclude: ['*.tmp'], required: false }],
    answer: 'b.txt',
    timeout: 'an author may call a field so',
  },
};

function fullTrace(): Trace {
  const trace = new Trace({
    id: '0123456789abcdef0123456789abcdef',
    task,
    agent: {
      name: 'solver',
      trainable: true,
      model: 'gpt-x',
      harness: { id: 'codex', version: '0.155.1', config: { sandbox: 'off' } },
      runtime: { id: 'lambda', config: { region: 'eu' } },
      sampling: { temperature: 0.5, extra: { service_tier: 'flex' } },
      limits: { maxTurns: 20, maxCost: 1.5 },
    },
    start: 1_796_000_000,
  });
  addGraph(trace);
  addCalls(trace);
  addOutcome(trace);
  return trace;
}

function addGraph({ graph }: Trace): void {
  const timestamp = 1_796_000_001.25;
  const start = graph.start([
    { name: 'shell', description: 'Runs a command', parameters: { type: 'object' }, strict: false },
    { name: 'apply_patch', kind: 'custom', namespace: 'edit', native: { format: 'grammar' } },
  ]);
  const prompt = [
    ...asSaid([system('You have a shell.')]),
    { said: user('Rename a.txt to b.txt. Key: 123'), sent: user('Rename a.txt to b.txt. Key: …') },
  ];
  const asks = assistant(null, {
    reasoning: 'Move it.',
    toolCalls: [
      toolCall('c1', '{ "cmd": "mv a.txt b.txt" }'),
      { ...toolCall('c2', '*** Begin'), kind: 'custom', namespace: 'edit' },
    ],
    providerState: [{ type: 'reasoning', encrypted_content: 'gAAA' }],
  });
  const tokens = {
    ids: Int32Array.of(10, 11, 12),
    mask: Uint8Array.of(0, 1, 1),
    isContent: Uint8Array.of(0, 1, 1),
    logprobs: Float32Array.of(-0.123_456, -2),
    advantages: Float32Array.of(0.5, 0.5),
    lossWeights: { echo: Float32Array.of(0, 1, 1) },
  };
  graph.commit(start, prompt, { message: asks, tokens }, { timestamp });
  const results = [
    { role: 'tool', toolCallId: 'c1', content: '', name: 'shell' },
    {
      role: 'tool',
      toolCallId: 'c2',
      isError: true,
      content: [
        { type: 'text', text: 'no such file' },
        { type: 'native', native: { type: 'input_audio', data: 'UklG' } },
        { type: 'image', url: 'data:image/png;base64,iVBO' },
      ],
    },
  ] as const;
  const at = { node: 2, toolList: start.toolList };
  graph.commit(at, asSaid(results), { message: assistant('cheated \ud800') }, { timestamp });
  const cause = { node: 5, type: 'rewrite' };
  graph.addBeside({ node: 4, toolList: start.toolList }, assistant('Done.'), [cause], timestamp);
  const helper = { message: assistant('I help.') };
  graph.commit(graph.start([]), asSaid([user('sub-task')]), helper, { timestamp });
  graph.link(8, { node: 2, type: 'subagent_call' });
}

function addCalls(trace: Trace): void {
  const base = {
    dialect: 'responses',
    endpoint: '/v1/responses',
    requestedModel: 'gpt-y',
    model: 'gpt-x-2026-01-01',
    settings: {
      model: 'gpt-x',
      stream: true,
      temperature: 0.5,
      toolChoice: 'auto',
      responseFormat: { name: 'answer', schema: { type: 'object' } },
      extra: { store: false },
    },
    firstByte: 1_796_000_001.5,
  } as const;
  const usage = { inputTokens: 100, outputTokens: 10, cachedInputTokens: 60, reasoningTokens: 4 };
  trace.calls.push(
    modelCall({
      ...base,
      finish: null,
      rawFinish: null,
      status: 429,
      error: { status: 429, code: 'rate_limit', message: 'slow down', retryAfterMs: 1500 },
    }),
    modelCall({
      ...base,
      node: 2,
      attempt: 2,
      finish: 'tool_calls',
      rawFinish: 'tool_calls',
      usage: { ...usage, cacheWriteTokens: 7 },
      cost: 0.002,
      responseId: 'resp_1',
    }),
    modelCall({ ...base, node: 5, finish: 'content_filter', rawFinish: 'safety', usage }),
    modelCall({ node: 8, usage: { inputTokens: 5, outputTokens: 2, cost: 0.001 }, cost: 0.001 }),
    modelCall({
      finish: null,
      rawFinish: null,
      status: 200,
      error: { status: 200, code: 'cut', message: 'stream ended early' },
      partial: 'I thi',
    }),
  );
}

function addOutcome(trace: Trace): void {
  trace.toolCalls.push({ name: 'lookup', start: 1_796_000_002, end: 1_796_000_003, error: 'down' });
  Object.assign(trace.rewards, { tests: { score: 1, weight: 0.5 }, style: null });
  Object.assign(trace.metrics, { turns: 2, coverage: null });
  Object.assign(trace.info, { note: 'free', vf: 'an author may call it so' });
  trace.extraUsage.push(
    { inputTokens: 9, outputTokens: 1, cacheWriteTokens: 3 },
    { inputTokens: 7, outputTokens: 2, cost: 0.002, by: 'style', model: 'judge-model' },
  );
  trace.errors.push(
    { type: 'provider/overloaded', message: 'busy', status: 503, phase: 'agent', attempt: 1 },
    { type: 'scoring/hook_failed', message: 'boom', phase: 'scoring', attempt: 2, stack: 'at x' },
  );
  Object.assign(trace.timing, {
    boot: { start: 1_796_000_000, end: 1_796_000_000.5 },
    agent: { start: 1_796_000_001, end: 1_796_000_003, model: 1.25, harness: 0.75 },
  });
  trace.effectiveTask = { prompt: 'Rename it.', tools: [{ name: 'lookup' }] };
  trace.stopCondition = 'agent_completed';
  trace.isCompleted = true;
  trace.ok = true;
  trace.isTimeout = true;
  trace.rootReply = 'Done.';
  trace.mainLeaf = 6;
}

/** An episode with something in every field that a record has. */
export function fullEpisode(): Episode {
  return {
    id: 'fedcba9876543210fedcba9876543210',
    env: { id: 'single', name: 'files' },
    task,
    attempt: 3,
    run: { id: 'run-1', name: 'nightly' },
    traces: [fullTrace()],
    errors: [{ type: 'worker/lost', message: 'gone', phase: 'boot', attempt: 1 }],
    ok: true,
    isTimeout: false,
  };
}
