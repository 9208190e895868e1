/** Text a model reads or writes. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** An image by URL; inline images are `data:` URLs. */
export interface ImagePart {
  readonly type: 'image';
  readonly url: string;
}

/** Content that vf carries without understanding it: the dialect's own item, as it came. */
export interface NativePart {
  readonly type: 'native';
  readonly native: unknown;
}

/** A piece of a message, in the order in which the model reads them. */
export type Part = TextPart | ImagePart | NativePart;
export type Content = string | readonly Part[];

/**
 * One call that the model asks for.
 * `arguments` is the exact sampled string: JSON for a function, free text for a custom tool.
 */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Absent means `function`. */
  readonly kind?: 'function' | 'custom';
  readonly namespace?: string;
}

/** What the agent is told about itself; its place among the messages is kept. */
export interface SystemMessage {
  readonly role: 'system';
  readonly content: Content;
}

/** What a person, or a program in their place, says. */
export interface UserMessage {
  readonly role: 'user';
  readonly content: Content;
}

/** What the model said. `content` is null where it only calls tools. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly reasoning?: string | null;
  readonly toolCalls?: readonly ToolCall[];
  /** Native items the provider wants back verbatim: encrypted reasoning, signatures, server-tool items. */
  readonly providerState?: readonly unknown[];
}

/** The result of the call whose id is `toolCallId`; `name` is the tool's, where the dialect says it. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly content: Content;
  readonly name?: string;
  readonly isError?: boolean;
}

/** The canonical message that every dialect maps to and from. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** The text of a message's content; images and native parts leave nothing. */
export function textOf(content: Content | null): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
