import type { AssistantMessage, Call, ToolCall } from '@vf/core';
import { promptOf } from '@vf/core/trace';
import type { Tokenizer } from '@vf/renderers';
import { checkSample } from '../check-sample.ts';
import { brokenOff, EngineFailed, malformed } from '../engine/engine-failed.ts';
import type { Finished } from '../live-reply.ts';
import { chatOrigin } from '../token-origin.ts';
import { toldTokens } from '../told-tokens.ts';
import type { OfferedTools } from '../tools.ts';
import type { ChatAnswer } from './chat-answer.ts';
import type { ChatSpace } from './chat-space.ts';
import { anyVocabulary, checkAnswer } from './check-answer.ts';

/**
 * The reply to a call, for the agent and with its tokens.
 * @throws EngineFailed when it cannot be trained on
 */
export function finishChat(
  answer: ChatAnswer,
  call: Call,
  offered: OfferedTools,
  { vocabulary, context }: ChatSpace,
  tokenizer: Pick<Tokenizer, 'sha256' | 'bytes'> | null,
): Finished {
  const { reply, promptIds, ids, logprobs, stopWord } = answer;
  if (reply.error !== null) throw new EngineFailed(reply.error);
  if (ids !== null && ids.length > 0 && !reply.whole) throw brokenOff('vLLM');
  if (promptIds === null || ids === null || !reply.whole || reply.message === null) {
    throw malformed('vLLM answered a chat without token ids: is it older than return_token_ids?');
  }
  const room = call.settings.maxOutputTokens ?? null;
  checkAnswer({ ...answer, promptIds, ids }, room, { vocabulary, context });
  const sample = { ids, logprobs, finish: 'stop', rawFinish: '', cached: null } as const;
  const checked = checkSample('vLLM', sample, [], vocabulary ?? anyVocabulary);
  return {
    reply: {
      ...reply,
      message: forAgent(reply.message, offered),
      model: call.settings.model,
      id: null,
      ...(stopWord === null ? {} : { stopWord }),
      ...toldTokens(tokenizer, checked),
    },
    tokens: {
      promptIds: Int32Array.from(promptIds),
      completionIds: checked.completionIds,
      logprobs: checked.logprobs,
      spans: promptOf(call).map(() => null),
      origin: chatOrigin(tokenizer),
      ...(vocabulary === null ? {} : { space: { vocabulary, context } }),
    },
  };
}

/** Calls as the agent knows its tools; one whose arguments do not fit stays visible as text. */
function forAgent(message: AssistantMessage, offered: OfferedTools): AssistantMessage {
  const { toolCalls, ...rest } = message;
  if (toolCalls === undefined) return message;
  const made = toolCalls.map((call) => offered.toAgent(call));
  const calls = made.filter((call): call is ToolCall => call !== null);
  const unfit = toolCalls.filter((_, at) => made[at] === null).map((call) => call.arguments);
  const content = [message.content ?? '', ...unfit].filter((text) => text !== '').join('\n');
  return {
    ...rest,
    content: content === '' ? message.content : content,
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
}
