import type { Usage } from '@vf/core';
import type { ContentStep, Pieces, SettingStep } from '../script.ts';

/** One server-sent event before it is framed. */
export interface WireEvent {
  readonly name?: string;
  readonly data: string;
}

/** What a reply is, beside its content. */
export interface ReplyFacts {
  readonly id: string;
  readonly model: string;
  /** As the dialect spells it. */
  readonly finish: string;
  readonly usage: Usage | null;
  readonly usagePlace: Extract<SettingStep, { type: 'usage' }>['place'];
  /** A chat stream ends with a usage chunk only when the request asked for it. */
  readonly includeUsage: boolean;
  /** Most ids of an engine's reply; null: any number. */
  readonly limit: number | null;
  /** Unix seconds. */
  readonly created: number;
}

/** Writes one streamed reply of a dialect. */
export interface StreamEncoder {
  open(): WireEvent[];
  content(step: ContentStep): WireEvent[];
  /** Finish reason, usage and the terminal event. */
  close(): WireEvent[];
  ping(): WireEvent | null;
  error(code: string, message: string): WireEvent[];
}

/** A dialect on the way out. */
export interface ReplyFormat {
  readonly idPrefix: string;
  /** The finish reason, spelt for a canonical one. */
  finish(reason: string): string;
  stream(facts: ReplyFacts): StreamEncoder;
  plain(facts: ReplyFacts, content: readonly ContentStep[]): unknown;
  error(status: number, code: string | undefined, message: string): unknown;
}

/** The event with its JSON; the dialects that name their events name them by their type. */
export function typed(
  data: { readonly type: string } & Readonly<Record<string, unknown>>,
): WireEvent {
  return { name: data.type, data: JSON.stringify(data) };
}

/** An author's own event. */
export function custom(step: Extract<ContentStep, { type: 'event' }>): WireEvent {
  const data = typeof step.data === 'string' ? step.data : JSON.stringify(step.data);
  return { ...(step.name === undefined ? {} : { name: step.name }), data };
}

/** Cuts a text into deltas: as told, or one per 32 characters; never inside a character. */
export function piecesOf(text: string, pieces: Pieces | undefined): readonly string[] {
  if (typeof pieces === 'object') return pieces;
  if (text === '') return [];
  const size = pieces === undefined ? 32 : Math.max(1, Math.ceil(text.length / pieces));
  const cuts: string[] = [];
  for (let at = 0; at < text.length;) {
    let end = at + size;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end++;
    cuts.push(text.slice(at, end));
    at = end;
  }
  return cuts;
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** An id that is the same for every run of a script: the n-th of a reply. */
export function partId(prefix: string, replyId: string, index: number): string {
  return `${prefix}_${replyId.replace(/^[a-z]+[-_]/, '')}_${index}`;
}

/** The texts of all steps of a type, joined. */
export function joined(content: readonly ContentStep[], type: 'text' | 'reasoning'): string {
  return content.map((step) => (step.type === type ? step.text : '')).join('');
}
