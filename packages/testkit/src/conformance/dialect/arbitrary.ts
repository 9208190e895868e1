import type {
  AssistantMessage,
  Call,
  Finish,
  Message,
  ReadReply,
  Settings,
  ToolCall,
  ToolSpec,
  Usage,
} from '@vf/core';
import * as fc from 'fast-check';
import type { DialectSamples } from './samples.ts';

type Means = Required<NonNullable<DialectSamples['means']>>;

export function meansOf(samples: DialectSamples): Means {
  const {
    reasoning = true,
    custom = false,
    namespaces = false,
    restatedReasoning,
  } = samples.means ?? {};
  return { reasoning, custom, namespaces, restatedReasoning: restatedReasoning ?? reasoning };
}

/** Well-formed text with what wire formats trip over: line ends, quotes, other planes, SSE's own words. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    'data: [DONE]\n\n',
    '\r\n',
    '"\\u00e9"',
    '😀 é',
    ' leading and trailing  ',
    '\n: x\n',
  ),
);

const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,12}$/);

const args = fc
  .dictionary(
    word,
    fc.oneof(fc.integer(), fc.boolean(), text, fc.constant(null), fc.array(text, { maxLength: 2 })),
    {
      maxKeys: 3,
    },
  )
  .map((value) => JSON.stringify(value));

function callOf(id: number, means: Means): fc.Arbitrary<ToolCall> {
  const plain: fc.Arbitrary<ToolCall> = fc.record({
    id: fc.constant(`call_${id}`),
    name: word,
    arguments: args,
  });
  const namespaced = fc.tuple(plain, word).map(([call, namespace]) => ({ ...call, namespace }));
  const custom = fc
    .tuple(plain, text)
    .map(([call, input]): ToolCall => ({ ...call, kind: 'custom', arguments: input }));
  return fc.oneof(
    plain,
    ...(means.namespaces ? [namespaced] : []),
    ...(means.custom ? [custom] : []),
  );
}

/** Replies without native items: text, reasoning and up to three calls, at least one of them. */
function assistant(means: Means, reasons: boolean, firstId = 0): fc.Arbitrary<AssistantMessage> {
  const calls = fc
    .integer({ min: 0, max: 3 })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_, index) => callOf(firstId + index, means))),
    );
  return fc
    .tuple(fc.option(text), reasons ? fc.option(text) : fc.constant(null), calls)
    .map(([content, reasoning, toolCalls]): AssistantMessage => ({
      role: 'assistant',
      content: content ?? (toolCalls.length === 0 ? 'ok' : null),
      ...(reasoning === null ? {} : { reasoning }),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    }));
}

const count = fc.integer({ min: 0, max: 100_000 });

const usage: fc.Arbitrary<Usage> = fc
  .tuple(count, count, count, count)
  .map(([uncached, outputTokens, cachedInputTokens, reasoningTokens]) => ({
    inputTokens: uncached + cachedInputTokens,
    outputTokens: outputTokens + reasoningTokens,
    cachedInputTokens,
    reasoningTokens,
  }));

/** Complete replies within the dialect's means. */
export function anyReply(means: Means): fc.Arbitrary<ReadReply> {
  const cut = fc.constantFrom<Finish | null>(null, null, 'length', 'content_filter');
  return fc
    .tuple(assistant(means, means.reasoning), usage, cut, word)
    .map(([message, tokens, finish, model]) => ({
      message,
      finish: finish ?? (message.toolCalls === undefined ? 'stop' : 'tool_calls'),
      rawFinish: null,
      usage: tokens,
      model,
      id: 'reply_1',
      error: null,
      whole: true,
    }));
}

/** Conversations as agents have them: a user, replies, a result for each call, users again. */
function conversation(means: Means): fc.Arbitrary<readonly Message[]> {
  const turn = fc.integer({ min: 0, max: 3 }).chain((number) =>
    fc
      .tuple(assistant(means, means.restatedReasoning, number * 10), text, text)
      .map(([said, result, user]): readonly Message[] => {
        const results = (said.toolCalls ?? []).map((call): Message => ({
          role: 'tool',
          toolCallId: call.id,
          content: result,
        }));
        return [
          said,
          ...results,
          ...(results.length === 0 ? [{ role: 'user', content: user } as const] : []),
        ];
      }),
  );
  return fc
    .tuple(text, fc.array(turn, { maxLength: 3 }))
    .map(([user, turns]) => [{ role: 'user', content: user }, ...turns.flat()]);
}

/** Some of the settings that the dialect has keys for. */
export function someSettings(samples: DialectSamples): fc.Arbitrary<Partial<Settings>> {
  const values: { readonly [Key in keyof Settings]-?: fc.Arbitrary<Settings[Key]> } = {
    model: word,
    stream: fc.boolean(),
    temperature: fc.constantFrom(0, 0.5, 1),
    topP: fc.constantFrom(0.1, 1),
    topK: fc.integer({ min: 1, max: 100 }),
    maxOutputTokens: fc.integer({ min: 1, max: 100_000 }),
    stop: fc.array(word, { minLength: 1, maxLength: 2 }),
    seed: fc.integer({ min: 0, max: 1000 }),
    reasoningEffort: fc.constantFrom('low', 'medium', 'high'),
    frequencyPenalty: fc.constantFrom(0, 0.5),
    presencePenalty: fc.constantFrom(0, 0.5),
    parallelToolCalls: fc.boolean(),
    toolChoice: fc.oneof(
      fc.constantFrom('auto' as const, 'none' as const, 'required' as const),
      word.map((name) => ({ name })),
    ),
    responseFormat: fc.constant({ name: 'answer', schema: { type: 'object' } }),
    includeUsage: fc.boolean(),
    extra: fc.constant({ vendor_key: { a: 1 } }),
  };
  const wanted = Object.fromEntries(samples.settings.map((key) => [key, values[key]]));
  return fc.record(wanted, { requiredKeys: [] });
}

const tool: fc.Arbitrary<ToolSpec> = fc.record({
  name: word,
  description: text,
  parameters: fc.constant({ type: 'object', properties: { a: { type: 'string' } } }),
});

export function anyCall(samples: DialectSamples): fc.Arbitrary<Call> {
  const preamble: fc.Arbitrary<readonly Message[]> = fc.oneof(
    fc.constant([]),
    text.map((content) => [{ role: 'system' as const, content }]),
  );
  return fc.record({
    preamble,
    messages: conversation(meansOf(samples)),
    tools: fc.uniqueArray(tool, { maxLength: 3, selector: ({ name }) => name }),
    settings: fc
      .tuple(someSettings(samples), word, fc.boolean())
      .map(([some, model, stream]): Settings => ({ ...some, model, stream })),
  });
}

/** A copy of a JSON value with one place in it, anywhere, made something else. */
export function damaged(value: unknown): fc.Arbitrary<unknown> {
  return fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 2 })).map(([seed, other]) => {
    const places = countPlaces(value);
    return replaceAt(value, seed % places, other).value;
  });
}

function childrenOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function countPlaces(value: unknown): number {
  return childrenOf(value).reduce((total, [, child]) => total + countPlaces(child), 1);
}

function replaceAt(
  value: unknown,
  place: number,
  other: unknown,
): { readonly value: unknown; readonly left: number } {
  if (place === 0) return { value: other, left: -1 };
  let left = place - 1;
  const children: [string, unknown][] = [];
  for (const [key, child] of childrenOf(value)) {
    const replaced = left < 0 ? { value: child, left } : replaceAt(child, left, other);
    children.push([key, replaced.value]);
    left = replaced.left;
  }
  if (children.length === 0) return { value, left };
  return {
    value: Array.isArray(value) ? children.map(([, child]) => child) : Object.fromEntries(children),
    left,
  };
}

/** A text in at most four pieces, none of them empty. */
export function pieces(whole: string, cuts: readonly number[]): readonly string[] {
  const units = Array.from(whole);
  const at = [...new Set(cuts.map((cut) => cut % (units.length + 1)))].toSorted((a, b) => a - b);
  const ends = [...at, units.length];
  return ends
    .map((end, index) => units.slice(index === 0 ? 0 : ends[index - 1], end).join(''))
    .filter(Boolean);
}
