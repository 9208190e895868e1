import type { AssistantMessage, Content, Message } from '../message.ts';
import { canonicalJson, sortedJson } from './canonical-json.ts';

/**
 * What makes a message the one it is, as a list of texts, and a hash of them. Two messages are the same when these are
 * equal. The rules are those of the verifiers v1 record: null content is "", a tool's name does not count, function
 * arguments compare as JSON values, opaque provider state counts where it holds something the other fields do not.
 */
export interface Identity {
  readonly parts: readonly string[];
  readonly hash: number;
}

const mostRecent = 16;
/** A turn asks about each of its messages several times. A Map would leave tables behind, with all messages in them. */
const recent: { message: Message; identity: Identity }[] = [];
let oldest = 0;

export function identityOf(message: Message): Identity {
  for (const known of recent) if (known.message === message) return known.identity;
  const parts = partsOf(message);
  const identity = { parts, hash: hashOf(parts) };
  recent[oldest] = { message, identity };
  oldest = (oldest + 1) % mostRecent;
  return identity;
}

export function isSameMessage(a: Message, b: Message): boolean {
  return a === b || isSameIdentity(identityOf(a), identityOf(b));
}

function isSameIdentity(a: Identity, b: Identity): boolean {
  if (a.hash !== b.hash || a.parts.length !== b.parts.length) return false;
  for (let at = 0; at < a.parts.length; at++) if (a.parts[at] !== b.parts[at]) return false;
  return true;
}

function partsOf(message: Message): string[] {
  const parts: string[] = [message.role];
  pushContent(parts, message.content);
  if (message.role === 'assistant') pushAssistant(parts, message);
  if (message.role === 'tool') parts.push('tool_call_id', message.toolCallId);
  return parts;
}

function pushContent(parts: string[], content: Content | null): void {
  if (content === null || typeof content === 'string') {
    parts.push('content_text', content ?? '');
    return;
  }
  parts.push('content_parts');
  for (const part of content) {
    if (part.type === 'text') parts.push('text', part.text);
    else if (part.type === 'image') parts.push('image_url', part.url);
    else parts.push('native', sortedJson(part.native));
  }
}

function pushAssistant(parts: string[], message: AssistantMessage): void {
  if (message.reasoning !== null && message.reasoning !== undefined)
    parts.push('reasoning_content', message.reasoning);
  for (const item of message.providerState ?? []) pushProviderState(parts, message, item);
  for (const call of message.toolCalls ?? []) {
    const kind = call.kind ?? 'function';
    const input =
      kind === 'custom' ? call.arguments : (canonicalJson(call.arguments) ?? call.arguments);
    parts.push('tool_call', kind, call.id, call.name, call.namespace ?? '', input);
  }
}

const keptFields = ['encrypted_content', 'signature', 'data', 'phase'] as const;

function pushProviderState(parts: string[], message: AssistantMessage, item: unknown): void {
  if (typeof item !== 'object' || item === null) {
    parts.push('provider_state', '', sortedJson(item));
    return;
  }
  const fields = item as Readonly<Record<string, unknown>>;
  const kind = kindOf(fields);
  const kept = keptState(kind, fields);
  const isShown = isRepresented(message, kind, fields);
  if (isShown && Object.keys(kept).length === 0) return;
  parts.push('provider_state', kind, sortedJson(isShown ? kept : fields));
}

function kindOf(fields: Readonly<Record<string, unknown>>): string {
  if (typeof fields['type'] === 'string' && fields['type'] !== '') return fields['type'];
  return fields['role'] === 'assistant' ? 'message' : '';
}

/** What of an item the message's own fields never hold. */
function keptState(
  kind: string,
  fields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {};
  for (const field of keptFields) if (fields[field] != null) kept[field] = fields[field];
  const unusual = kind === 'message' ? unusualContent(fields['content']) : [];
  return unusual.length > 0 ? { ...kept, content: unusual } : kept;
}

function unusualContent(content: unknown): readonly unknown[] {
  if (!Array.isArray(content)) return [];
  return content.filter((part: unknown) => {
    const type =
      typeof part === 'object' && part !== null ? (part as { type?: unknown }).type : undefined;
    return type !== 'text' && type !== 'output_text' && type !== 'input_text';
  });
}

function isRepresented(
  message: AssistantMessage,
  kind: string,
  fields: Readonly<Record<string, unknown>>,
): boolean {
  if (kind === 'message' || kind === 'reasoning' || kind === 'thinking') return true;
  if (kind !== 'function_call' && kind !== 'custom_tool_call') return false;
  return (message.toolCalls ?? []).some((call) => call.id === fields['call_id']);
}

/** Up to here every character counts; of a longer text so many at each end and so many between. */
const hashedWhole = 96;
const hashedParts = 32;

/**
 * Hash of some texts as a signed 32-bit integer. It reads a bounded number of characters of each, since a tool's output
 * may be megabytes: equality is always checked after a hit.
 */
export function hashOf(texts: readonly string[]): number {
  let hash = 0x41c6ce57;
  // Lengths keep ["ab", "c"] apart from ["a", "bc"].
  for (const text of texts) hash = mixText(mixed(hash, text.length), text);
  return scattered(hash);
}

function mixText(hash: number, text: string): number {
  if (text.length <= hashedWhole) return mix(hash, text, 0, text.length, 1);
  const end = text.length - hashedParts;
  const start = mix(hash, text, 0, hashedParts, 1);
  const step = Math.ceil((end - hashedParts) / hashedParts);
  return mix(mix(start, text, hashedParts, end, step), text, end, text.length, 1);
}

function mix(hash: number, text: string, from: number, to: number, step: number): number {
  for (let i = from; i < to; i += step) hash = mixed(hash, text.charCodeAt(i));
  return hash;
}

/** A step of murmur3 (public domain). */
function mixed(hash: number, value: number): number {
  const product = Math.imul(hash ^ Math.imul(value, 0xcc9e2d51), 0x1b873593);
  return (product << 13) | (product >>> 19);
}

/** The end of murmur3: each bit of the hash changes half of those that come out. */
function scattered(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

/** A hash moved by a seed: under one seed different hashes stay different. */
export function seeded(hash: number, seed: number): number {
  return scattered(hash ^ Math.imul(seed, 0x9e3779b1));
}
