import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Message, ToolSpec } from '@vf/core';
import { promptMessages, promptTools } from '../engine/prompt.ts';
import type { ScriptedRequest, Wire } from '../script.ts';
import { chatMessages, chatTools } from './chat-completions.ts';
import { record, text } from './content.ts';
import type { Json } from './content.ts';
import { messagesMessages, messagesTools } from './messages.ts';
import { responsesMessages, responsesTools } from './responses.ts';

const messagesOf: Record<Wire, (body: Json) => Message[]> = {
  'chat-completions': chatMessages,
  responses: responsesMessages,
  messages: messagesMessages,
  'llama.cpp': promptMessages,
};

const toolsOf: Record<Wire, (body: Json) => ToolSpec[]> = {
  'chat-completions': chatTools,
  responses: responsesTools,
  messages: messagesTools,
  'llama.cpp': promptTools,
};

/** Counts calls per server and per conversation. */
export class CallCounter {
  #calls = 0;
  readonly #conversations = new Map<string, number>();

  /** The request in neutral form. @throws SyntaxError when the body is not JSON, or no prompt */
  read(dialect: Wire, headers: IncomingHttpHeaders, bytes: Uint8Array): ScriptedRequest {
    const body = record(parsed(bytes));
    const messages = messagesOf[dialect](body);
    const conversation = conversationOf(headers, messages);
    const conversationCall = (this.#conversations.get(conversation) ?? 0) + 1;
    this.#conversations.set(conversation, conversationCall);
    this.#calls++;
    return {
      dialect: dialect === 'llama.cpp' ? 'chat-completions' : dialect,
      model: text(body['model']),
      stream: body['stream'] === true,
      messages,
      tools: toolsOf[dialect](body),
      turn: messages.filter((message) => message.role === 'assistant').length,
      call: this.#calls,
      conversation,
      conversationCall,
      headers,
      body,
    };
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch (error) {
    throw new SyntaxError(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The key that a request carries, wherever its dialect puts it. */
export function keyOf(headers: IncomingHttpHeaders): string {
  const apiKey = headers['x-api-key'];
  if (typeof apiKey === 'string') return apiKey;
  return (headers.authorization ?? '').replace(/^Bearer +/i, '');
}

function conversationOf(headers: IncomingHttpHeaders, messages: readonly Message[]): string {
  const firstUser = messages.findIndex((message) => message.role === 'user');
  const opening = messages.slice(0, firstUser + 1);
  const hash = createHash('sha256').update(keyOf(headers)).update(JSON.stringify(opening));
  return hash.digest('base64url').slice(0, 16);
}
