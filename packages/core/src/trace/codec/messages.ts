import type { AssistantMessage, Content, Message, Part, ToolCall } from '../../message.ts';
import { anything, boolean, damaged, index, list, string } from './fields.ts';
import type { Fields } from './fields.ts';
import { compact, isObject } from './json-object.ts';
import type { JsonObject } from './json-object.ts';

/** A message with native parts in their places, as `info.vf` holds it; see `splitMessage`. */
export function writeMessage(message: Message): JsonObject {
  switch (message.role) {
    case 'assistant':
      return writeAssistant(message);
    case 'tool':
      return compact({
        role: 'tool',
        tool_call_id: message.toolCallId,
        content: writeContent(message.content),
        name: message.name,
        is_error: message.isError,
      });
    default:
      return { role: message.role, content: writeContent(message.content) };
  }
}

function writeAssistant(message: AssistantMessage): JsonObject {
  return compact({
    role: 'assistant',
    content: message.content,
    reasoning_content: message.reasoning,
    tool_calls: message.toolCalls?.map(writeToolCall),
    provider_state: message.providerState,
  });
}

function writeToolCall(call: ToolCall): JsonObject {
  return compact({
    id: call.id,
    type: call.kind,
    name: call.name,
    namespace: call.namespace,
    arguments: call.arguments,
  });
}

function writeContent(content: Content): unknown {
  return typeof content === 'string' ? content : content.map(writePart);
}

function writePart(part: Part): JsonObject {
  if (part.type === 'image') return { type: 'image_url', image_url: { url: part.url } };
  return { ...part };
}

/** A part that the verifiers models have no place for, by its index in the whole content. */
export interface NativeAt {
  readonly at: number;
  readonly native: unknown;
}

/** What of a message the verifiers models take, and what they do not. */
export interface SplitMessage {
  readonly message: JsonObject;
  readonly extra: JsonObject;
}

export function splitMessage(message: Message): SplitMessage {
  const { is_error, ...record } = writeMessage(message);
  const content = record['content'];
  const natives = Array.isArray(content) ? nativesOf(content) : [];
  const state = record['provider_state'];
  const isOddState = Array.isArray(state) && !state.every(isObject);
  return {
    message: compact({
      ...record,
      content: natives.length > 0 ? (content as readonly unknown[]).filter(isShared) : content,
      provider_state: isOddState ? undefined : state,
    }),
    extra: compact({
      is_error,
      native: natives.length > 0 ? natives : undefined,
      provider_state: isOddState ? state : undefined,
    }),
  };
}

function isShared(part: unknown): boolean {
  return !isObject(part) || part['type'] !== 'native';
}

function nativesOf(content: readonly unknown[]): readonly NativeAt[] {
  return content.flatMap((part, at) =>
    isObject(part) && part['type'] === 'native' ? [{ at, native: part['native'] }] : [],
  );
}

/** A message from `writeMessage`, or from both halves of `splitMessage`. */
export function readMessage(fields: Fields, extra?: Fields): Message {
  const role = fields.required('role', string);
  switch (role) {
    case 'assistant':
      return readAssistant(fields, extra);
    case 'tool':
      return readTool(fields, extra);
    case 'system':
    case 'user':
      return { role, content: readContent(fields, extra) };
    default:
      return damaged(fields.at('role'), `must be system, user, assistant or tool, not "${role}"`);
  }
}

function readAssistant(fields: Fields, extra: Fields | undefined): AssistantMessage {
  const reasoning = fields.optional('reasoning_content', string);
  const toolCalls = fields.children('tool_calls')?.map(readToolCall);
  const odd = extra?.optional('provider_state', list);
  const providerState = odd ?? fields.optional('provider_state', list);
  return {
    role: 'assistant',
    content: fields.optional('content', string) ?? null,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(providerState === undefined ? {} : { providerState }),
  };
}

function readTool(fields: Fields, extra: Fields | undefined): Message {
  const name = fields.optional('name', string);
  const isError = (extra ?? fields).optional('is_error', boolean);
  return {
    role: 'tool',
    toolCallId: fields.required('tool_call_id', string),
    content: readContent(fields, extra),
    ...(name === undefined ? {} : { name }),
    ...(isError === undefined ? {} : { isError }),
  };
}

function readToolCall(fields: Fields): ToolCall {
  const kind = fields.optional('type', string);
  if (kind !== undefined && kind !== 'function' && kind !== 'custom') {
    damaged(fields.at('type'), `must be function or custom, not "${kind}"`);
  }
  const namespace = fields.optional('namespace', string);
  return {
    id: fields.required('id', string),
    name: fields.required('name', string),
    arguments: fields.required('arguments', string),
    ...(kind === undefined ? {} : { kind }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

function readContent(fields: Fields, extra: Fields | undefined): Content {
  if (typeof fields.peek('content') === 'string') return fields.required('content', string);
  const parts = fields.children('content') ?? damaged(fields.at('content'), 'is missing');
  const content = parts.map(readPart);
  for (const native of extra?.children('native') ?? []) {
    const at = native.required('at', index);
    content.splice(at, 0, { type: 'native', native: native.optional('native', anything) ?? null });
  }
  return content;
}

function readPart(fields: Fields): Part {
  const type = fields.required('type', string);
  if (type === 'text') return { type, text: fields.required('text', string) };
  if (type === 'image_url') {
    const image = fields.child('image_url') ?? damaged(fields.at('image_url'), 'is missing');
    return { type: 'image', url: image.required('url', string) };
  }
  if (type === 'native') return { type, native: fields.optional('native', anything) ?? null };
  return damaged(fields.at('type'), `must be text or image_url, not "${type}"`);
}

/** A prompt: text, or messages. */
export function writePrompt(prompt: string | readonly Message[]): unknown {
  return typeof prompt === 'string' ? prompt : prompt.map(writeMessage);
}

export function readPrompt(fields: Fields, key: string): string | readonly Message[] | undefined {
  if (typeof fields.peek(key) === 'string') return fields.required(key, string);
  return fields.children(key)?.map((message) => readMessage(message));
}
