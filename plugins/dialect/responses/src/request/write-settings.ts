import type { Settings } from '@vf/core';
import { objectOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';

/**
 * The top-level keys that ask for `want`, over those of `top`: an effort keeps the other keys of `reasoning`, a format
 * those of `text`. What Responses has no key for is spelt as in chat: some servers take it, OpenAI refuses it aloud.
 */
export function writeSettings(want: Partial<Settings>, top: JsonObject): Record<string, unknown> {
  const keys: Record<string, unknown> = {
    model: want.model,
    stream: want.stream,
    temperature: want.temperature,
    top_p: want.topP,
    top_k: want.topK,
    max_output_tokens: want.maxOutputTokens,
    stop: want.stop,
    seed: want.seed,
    frequency_penalty: want.frequencyPenalty,
    presence_penalty: want.presencePenalty,
    parallel_tool_calls: want.parallelToolCalls,
    tool_choice: writeToolChoice(want.toolChoice),
    ...want.extra,
  };
  const { reasoningEffort, responseFormat } = want;
  if (reasoningEffort !== undefined) {
    keys['reasoning'] = {
      ...objectOf(keys['reasoning'] ?? top['reasoning']),
      effort: reasoningEffort,
    };
  }
  if (responseFormat !== undefined) {
    keys['text'] = {
      ...objectOf(keys['text'] ?? top['text']),
      format: writeFormat(responseFormat),
    };
  }
  return Object.fromEntries(Object.entries(keys).filter(([, value]) => value !== undefined));
}

/**
 * `include` with the encrypted reasoning, without which a provider that stores nothing forgets it between turns;
 * undefined where nothing is to be added.
 */
export function withEncryptedReasoning(
  store: unknown,
  include: unknown,
): readonly unknown[] | undefined {
  const wanted = 'reasoning.encrypted_content';
  const listed: readonly unknown[] = Array.isArray(include) ? include : [];
  return store === false && !listed.includes(wanted) ? [...listed, wanted] : undefined;
}

function writeToolChoice(choice: Settings['toolChoice']): unknown {
  return typeof choice === 'object' ? { type: 'function', name: choice.name } : choice;
}

function writeFormat(format: NonNullable<Settings['responseFormat']>): JsonObject {
  if (format === 'json') return { type: 'json_object' };
  const { name = 'reply', schema, strict } = format;
  return { type: 'json_schema', name, schema, ...(strict === undefined ? {} : { strict }) };
}
