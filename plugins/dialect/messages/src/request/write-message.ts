import type { AssistantMessage, Message, ToolMessage } from '@vf/core';
import { isObject, parseJson, present } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { writeContent } from './content.ts';
import { writeBlocks } from './write-blocks.ts';
import type { WrittenBlock } from './write-blocks.ts';

/** Messages as items of `messages`: the results of one turn stand together in one user item. */
export function writeMessages(messages: readonly Message[]): readonly JsonObject[] {
  const items: { role: string; content: unknown }[] = [];
  let results: unknown[] | null = null;
  for (const message of messages) {
    if (message.role !== 'tool') {
      items.push(writeMessage(message));
      results = null;
    } else if (results === null) {
      results = [writeResult(message)];
      items.push({ role: 'user', content: results });
    } else {
      results.push(writeResult(message));
    }
  }
  return items;
}

function writeMessage(message: Exclude<Message, ToolMessage>): { role: string; content: unknown } {
  const { role } = message;
  return {
    role,
    content: role === 'assistant' ? writeReply(message) : writeContent(message.content),
  };
}

/** Content of an assistant item. Thinking without a signature stays out: the provider would refuse it. */
export function writeReply(message: AssistantMessage): readonly JsonObject[] {
  return writeBlocks(message, false).map(inputBlock);
}

export function writeResult({ toolCallId, content, isError }: ToolMessage): JsonObject {
  return present({
    type: 'tool_result',
    tool_use_id: toolCallId,
    content: writeContent(content),
    is_error: isError === true ? true : null,
  });
}

/** The provider takes objects only: free text, and JSON that the model got wrong, goes under one key. */
function inputBlock({ block, arguments: text }: WrittenBlock): JsonObject {
  if (text === undefined) return block;
  const input = text.trim() === '' ? {} : parseJson(text);
  return { ...block, input: isObject(input) ? input : { input: text } };
}
