import type { AssistantMessage, Message, ToolCall } from '../src/message.ts';
import type { PromptMessage } from '../src/trace/graph.ts';

export const user = (content: string): Message => ({ role: 'user', content });
export const system = (content: string): Message => ({ role: 'system', content });
export const toolResult = (toolCallId: string, content: string): Message => ({
  role: 'tool',
  toolCallId,
  content,
});
export const assistant = (
  content: string | null,
  fields: Partial<AssistantMessage> = {},
): AssistantMessage => ({ role: 'assistant', content, ...fields });
export const toolCall = (id: string, text = '{}'): ToolCall => ({
  id,
  name: 'f',
  arguments: text,
});

/** Prompt messages that nobody rewrote. */
export const asSaid = (messages: readonly Message[]): PromptMessage[] =>
  messages.map((said) => ({ said }));
