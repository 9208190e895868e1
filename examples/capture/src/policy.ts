import type { AssistantMessage, Message, ModelReply, ModelRequest, ToolCall } from '@vf/core';
import { textOf } from '@vf/core/trace';
import { rendered, vocabulary, written } from './template.ts';

/**
 * A made model, so that the example runs anywhere: it multiplies, adds, answers. With an odd seed it does not trust the
 * calculator and makes the last sum itself, wrongly. In your program a real model stands here.
 */
export function policy(seed: number) {
  return async ({ messages }: ModelRequest): Promise<ModelReply> => {
    const message = next(messages, seed);
    const { promptIds, spans } = rendered(messages);
    const completionIds = [...Buffer.from(written(message))];
    return {
      message,
      finish: message.toolCalls === undefined ? 'stop' : 'tool_calls',
      usage: { inputTokens: promptIds.length, outputTokens: completionIds.length },
      tokens: {
        promptIds,
        completionIds,
        logprobs: completionIds.map(() => -0.25),
        spans,
        space: { vocabulary, context: 4096 },
      },
    };
  };
}

function next(messages: readonly Message[], seed: number): AssistantMessage {
  const question = textOf(messages.find(({ role }) => role === 'user')?.content ?? null);
  const [a = 0, b = 0, c = 0] = (question.match(/\d+/g) ?? []).map(Number);
  const results = messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => Number(textOf(content)));
  const [product, sum] = results;
  if (product === undefined)
    return calling({ id: 'call-1', name: 'multiply', arguments: json(a, b) });
  if (seed % 2 === 1) return saying(product + c + 1);
  if (sum === undefined) return calling({ id: 'call-2', name: 'add', arguments: json(product, c) });
  return saying(sum);
}

function json(a: number, b: number): string {
  return JSON.stringify({ a, b });
}

function calling(call: ToolCall): AssistantMessage {
  return { role: 'assistant', content: null, toolCalls: [call] };
}

function saying(answer: number): AssistantMessage {
  return { role: 'assistant', content: String(answer) };
}
