import * as fc from 'fast-check';
import type { Settings, ToolSpec, Usage } from '../src/call.ts';
import type { AssistantMessage, Message, Part, ToolCall } from '../src/message.ts';
import { assignAll } from '../src/trace/codec/json-object.ts';
import type { Episode } from '../src/trace/episode.ts';
import { MessageGraph } from '../src/trace/graph.ts';
import type { ModelCall, ServedToolCall } from '../src/trace/model-call.ts';
import type { NodeTokens, TraceNode } from '../src/trace/node.ts';
import { Trace, stages } from '../src/trace/trace.ts';
import type { ExtraUsage, TraceAgent, TraceError, TraceTask } from '../src/trace/trace.ts';

/** Drops keys whose value is undefined: an absent field, not one without a value. */
function defined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

const orAbsent = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const name = fc.constantFrom('a', 'b', 'tests', '__proto__', 'toString', '0');
const time = fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }).map((ms) => ms / 1000);
const count = fc.nat({ max: 1_000_000 });
const money = fc.integer({ min: 0, max: 1_000_000 }).map((micros) => micros / 1e6);
/** JSON as it comes back from a file: -0 is 0 there. */
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const object = fc.dictionary(name, json, { maxKeys: 2 }).map((value) => ({ ...value }));
/** Names that no record has. */
const unknown = fc.record({ x_new: json, 'x-other': object });

function record<T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K] | undefined> }) {
  return fc
    .record<Record<string, unknown>>(fields as Record<string, fc.Arbitrary<unknown>>)
    .map((value) => defined(value) as T);
}

const part: fc.Arbitrary<Part> = fc.oneof(
  text.map((value): Part => ({ type: 'text', text: value })),
  fc.webUrl().map((url): Part => ({ type: 'image', url })),
  orNull(json).map((native): Part => ({ type: 'native', native })),
);
const content = fc.oneof(text, fc.array(part, { maxLength: 4 }));
const toolCall = record<ToolCall>({
  id: text,
  name: text,
  arguments: fc.oneof(
    text,
    json.map((value) => JSON.stringify(value)),
  ),
  kind: orAbsent(fc.constantFrom('function', 'custom')),
  namespace: orAbsent(text),
});
const providerItem = fc.oneof(
  { weight: 5, arbitrary: object },
  { weight: 1, arbitrary: fc.constantFrom('odd', 7, null) },
);
const assistant: fc.Arbitrary<AssistantMessage> = record<AssistantMessage>({
  role: fc.constant('assistant'),
  content: orNull(text),
  reasoning: orAbsent(text),
  toolCalls: orAbsent(fc.array(toolCall, { maxLength: 2 })),
  providerState: orAbsent(fc.array(providerItem, { maxLength: 2 })),
});
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'user'), content }),
  assistant,
  record<Extract<Message, { role: 'tool' }>>({
    role: fc.constant('tool'),
    toolCallId: text,
    content,
    name: orAbsent(text),
    isError: orAbsent(fc.boolean()),
  }),
);
const tool = record<ToolSpec>({
  name: text,
  description: orAbsent(text),
  parameters: orAbsent(object),
  kind: orAbsent(fc.constantFrom('function', 'custom', 'web_search')),
  namespace: orAbsent(text),
  strict: orAbsent(fc.boolean()),
  native: orAbsent(object),
});

/** Floats that four decimals hold. */
const logprob = fc.integer({ min: -100_000, max: 0 }).map((value) => value / 10_000);
const floats = (length: number) =>
  fc
    .array(logprob, { minLength: length, maxLength: length })
    .map((list) => Float32Array.from(list));

function tokens(isSampled: boolean): fc.Arbitrary<NodeTokens> {
  const lengths = fc.record({
    prompt: fc.integer({ min: 1, max: 4 }),
    sampled: isSampled ? fc.nat({ max: 4 }) : fc.constant(0),
  });
  return lengths.chain(({ prompt, sampled }) => {
    const all = prompt + sampled;
    const mask = Uint8Array.from({ length: all }, (_, at) => Number(at >= prompt));
    return record<NodeTokens>({
      ids: fc
        .array(fc.nat({ max: 200_000 }), { minLength: all, maxLength: all })
        .map((ids) => Int32Array.from(ids)),
      mask: fc.constant(mask),
      isContent: orNull(fc.boolean().map((set) => mask.map((bit) => bit || Number(set)))),
      logprobs: fc.oneof(floats(sampled), fc.constant(new Float32Array())),
      advantages: orAbsent(floats(sampled)),
      referenceLogprobs: orAbsent(floats(sampled)),
      trainerLogprobs: orAbsent(floats(sampled)),
      entropies: orAbsent(floats(sampled)),
      lossWeights: orAbsent(fc.dictionary(fc.constantFrom('echo', 'sft'), floats(all))),
    });
  });
}

function node(at: number): fc.Arbitrary<TraceNode> {
  const parent = at === 0 ? fc.constant(null) : orNull(fc.nat({ max: at - 1 }));
  return fc.tuple(parent, message, fc.boolean()).chain(([above, said, wasSampled]) => {
    const isSampled = said.role === 'assistant' && wasSampled;
    const link = fc.record({
      node: fc.nat({ max: Math.max(0, at - 1) }),
      type: fc.constantFrom('rewrite', 'compaction', 'subagent_call', 'vendor:x'),
    });
    return record<TraceNode>({
      parent: fc.constant(above),
      message: fc.constant(said),
      said: orAbsent(message),
      sampled: fc.constant(isSampled),
      tools: above === null ? orAbsent(fc.array(tool, { minLength: 1, maxLength: 2 })) : absent,
      links: at === 0 ? absent : orAbsent(fc.array(link, { minLength: 1, maxLength: 2 })),
      timestamp: time,
      tokens: orAbsent(tokens(isSampled)),
      unknown: orAbsent(unknown),
    });
  });
}
const absent = fc.constant(undefined);
const nodes = fc
  .nat({ max: 6 })
  .chain((length) => fc.tuple(...Array.from({ length }, (_, at) => node(at))));

const usageFields = {
  inputTokens: count,
  outputTokens: count,
  cachedInputTokens: orAbsent(count),
  cacheWriteTokens: orAbsent(count),
  reasoningTokens: orAbsent(count),
  cost: orAbsent(money),
};
const usage = record<Usage>(usageFields);
const extraUsage = record<ExtraUsage>({
  ...usageFields,
  by: orAbsent(text),
  model: orAbsent(text),
});
const settings = {
  temperature: orAbsent(fc.constantFrom(0, 0.7, 1)),
  topP: orAbsent(fc.constantFrom(0.9, 1)),
  topK: orAbsent(count),
  maxOutputTokens: orAbsent(count),
  stop: orAbsent(fc.array(text, { maxLength: 2 })),
  seed: orAbsent(count),
  reasoningEffort: orAbsent(text),
  frequencyPenalty: orAbsent(fc.constantFrom(-1, 0.5)),
  presencePenalty: orAbsent(fc.constantFrom(-1, 0.5)),
  parallelToolCalls: orAbsent(fc.boolean()),
  toolChoice: orAbsent(
    fc.oneof(
      fc.constantFrom('auto' as const, 'none' as const, 'required' as const),
      text.map((chosen) => ({ name: chosen })),
    ),
  ),
  responseFormat: orAbsent(fc.oneof(fc.constant('json' as const), fc.record({ schema: object }))),
  includeUsage: orAbsent(fc.boolean()),
  extra: orAbsent(object),
};
const model = fc.constantFrom('m', 'n');

/** Versions of weights end to end, each with some ids. */
const weights = fc
  .array(fc.tuple(text, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 3 })
  .map((versions) => {
    let end = 0;
    return versions.map(([version, length]) => ({ version, start: end, end: (end += length) }));
  });

const hash = orNull(fc.constantFrom('ab'.repeat(32), 'cd'.repeat(32)));
const origin = fc.record({
  engine: fc.constantFrom('vllm', 'sglang'),
  renderer: orNull(fc.constantFrom('qwen3', 'jinja')),
  retention: orNull(fc.constantFrom('all', 'tool_cycle')),
  tokenizerSha256: hash,
  templateSha256: hash,
});

function call(all: readonly TraceNode[]): fc.Arbitrary<ModelCall> {
  const sampled = all.flatMap((each, at) => (each.sampled ? [at] : []));
  return record<ModelCall>({
    node: sampled.length === 0 ? fc.constant(null) : orNull(fc.constantFrom(...sampled)),
    dialect: fc.constantFrom('chat-completions', 'responses', 'messages', 'x'),
    endpoint: fc.constantFrom('/v1/chat/completions', '/v1/messages?beta=true', ''),
    requestedModel: model,
    model,
    settings: record<Settings>({ model, stream: fc.boolean(), ...settings }),
    finish: orNull(fc.constantFrom('stop', 'length', 'tool_calls', 'content_filter')),
    rawFinish: orNull(fc.constantFrom('stop', 'end_turn', 'max_tokens')),
    usage: orNull(usage),
    cost: orNull(money),
    status: orNull(fc.constantFrom(200, 201, 429, 500)),
    attempt: fc.integer({ min: 1, max: 4 }),
    start: time,
    end: time,
    firstByte: orNull(time),
    error: orNull(
      record<NonNullable<ModelCall['error']>>({
        status: fc.constantFrom(0, 400, 503),
        code: fc.constantFrom('rate_limit', 'provider', 'unreachable', 'aborted'),
        message: text,
        retryAfterMs: orAbsent(count),
      }),
    ),
    partial: orAbsent(text),
    responseId: orAbsent(text),
    weights: orAbsent(weights),
    origin: orAbsent(origin),
    unknown: orAbsent(unknown),
  });
}

const error = record<TraceError>({
  type: fc.constantFrom('provider/overloaded', 'scoring/hook_failed'),
  message: text,
  status: orAbsent(fc.constantFrom(429, 500)),
  phase: orAbsent(fc.constantFrom(...stages)),
  attempt: orAbsent(fc.integer({ min: 1, max: 3 })),
  stack: orAbsent(text),
});
const span = fc.record({ start: time, end: time });
const task: fc.Arbitrary<TraceTask> = fc.record({
  type: text,
  key: fc.string({ minLength: 1 }),
  hash: fc.string({ minLength: 1 }),
  data: record<Record<string, unknown>>({
    key: orAbsent(text),
    name: orAbsent(text),
    prompt: orAbsent(fc.oneof(text, fc.array(message, { maxLength: 2 }))),
    systemPrompt: orAbsent(text),
    image: orAbsent(text),
    workdir: orAbsent(text),
    resources: orAbsent(fc.constant({ cpu: 2, memoryMb: 512, gpus: 1 })),
    timeouts: orAbsent(fc.constant({ boot: 1, agent: 1001 })),
    network: orAbsent(
      fc.constantFrom(
        { mode: 'public' },
        { mode: 'no-network' },
        { mode: 'allowlist', hosts: ['a.example'] },
      ),
    ),
    artifacts: orAbsent(fc.constant(['out', { source: 'logs', required: false }])),
    answer: json,
    // An author's own fields under names that the Python peer gives a type.
    idx: orAbsent(fc.oneof(count, text)),
    id: orAbsent(fc.oneof(count, text)),
    skills: orAbsent(fc.oneof(text, fc.array(text, { maxLength: 2 }))),
    timeout: orAbsent(fc.oneof(count, fc.constant({ agent: 5 }))),
    system_prompt: orAbsent(text),
  }),
});
const agent: fc.Arbitrary<TraceAgent> = fc.record({
  name: text,
  trainable: fc.boolean(),
  model,
  harness: fc.record({ id: text, version: orNull(text), config: object }),
  runtime: fc.record({ id: fc.constantFrom('subprocess', 'docker', 'lambda'), config: object }),
  sampling: record<Partial<Settings>>({ model: orAbsent(model), ...settings }),
  limits: record<TraceAgent['limits']>({
    maxTurns: orAbsent(count),
    maxInputTokens: orAbsent(count),
    maxOutputTokens: orAbsent(count),
    maxTotalTokens: orAbsent(count),
    maxCost: orAbsent(money),
  }),
});

const outcome = fc.record({
  effectiveTask: orNull(
    record<NonNullable<Trace['effectiveTask']>>({
      prompt: orAbsent(fc.oneof(text, fc.array(message, { maxLength: 2 }))),
      systemPrompt: orAbsent(text),
      tools: orAbsent(fc.array(tool, { maxLength: 2 })),
    }),
  ),
  stopCondition: orNull(fc.constantFrom('agent_completed', 'max_turns')),
  isCompleted: fc.boolean(),
  ok: fc.boolean(),
  isTimeout: fc.boolean(),
  rootReply: orNull(text),
  unknown: fc.oneof(fc.constant({}), unknown),
});
const reward = fc.record({ score: money, weight: money });
const served = fc.record<ServedToolCall>({
  name: text,
  start: time,
  end: time,
  error: orNull(text),
});

const trace: fc.Arbitrary<Trace> = fc
  .record({ task, agent, nodes, outcome, start: time, id: fc.uuid() })
  .chain((base) =>
    fc
      .record({
        calls: fc.array(call(base.nodes), { maxLength: 4 }),
        toolCalls: fc.array(served, { maxLength: 2 }),
        rewards: fc.dictionary(name, orNull(reward)),
        metrics: fc.dictionary(name, orNull(money)),
        info: fc.dictionary(fc.constantFrom('vf', 'note', '__proto__'), json),
        extraUsage: fc.array(extraUsage, { maxLength: 2 }),
        errors: fc.array(error, { maxLength: 2 }),
        mainLeaf:
          base.nodes.length === 0
            ? fc.constant(null)
            : orNull(fc.nat({ max: base.nodes.length - 1 })),
        timing: record<Omit<Trace['timing'], 'start'>>({
          boot: orAbsent(span),
          setup: orAbsent(span),
          agent: orAbsent(fc.record({ start: time, end: time, model: money, harness: money })),
          finalize: orAbsent(span),
          scoring: orAbsent(span),
        }),
      })
      .map((parts) => {
        const graph = new MessageGraph();
        for (const each of base.nodes) graph.restore(each);
        const made = new Trace({ ...base, graph });
        made.calls.push(...parts.calls);
        made.toolCalls.push(...parts.toolCalls);
        made.extraUsage.push(...parts.extraUsage);
        made.errors.push(...parts.errors);
        for (const key of ['rewards', 'metrics', 'info'] as const) assignAll(made[key], parts[key]);
        Object.assign(made.timing, parts.timing);
        return Object.assign(made, base.outcome, { mainLeaf: parts.mainLeaf });
      }),
  );

export const episode: fc.Arbitrary<Episode> = record<Episode>({
  id: fc.uuid(),
  env: record<Episode['env']>({ id: text, name: orAbsent(text) }),
  task,
  attempt: fc.integer({ min: 1, max: 9 }),
  run: orAbsent(record<NonNullable<Episode['run']>>({ id: text, name: orAbsent(text) })),
  traces: fc.array(trace, { maxLength: 2 }),
  errors: fc.array(error, { maxLength: 2 }),
  ok: fc.boolean(),
  isTimeout: fc.boolean(),
  unknown: orAbsent(unknown),
});

/** All that an episode holds, open to `toEqual`; its graphs as lists of nodes. */
export function contentsOf(value: Episode): unknown {
  const traces = value.traces.map((each) => Object.assign({}, each, { graph: each.graph.nodes }));
  return { ...value, traces };
}
