import { isObject, listOf, omit, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { joinDetails } from './reasoning-details.ts';

/** The field that providers and agents name reasoning by; the first is what we write unless told otherwise. */
export type ReasoningField = 'reasoning_content' | 'reasoning';

/** What an assistant message holds that canonical fields cannot say, as the fields of a message or a delta. */
export interface NativeFields {
  readonly field: ReasoningField;
  readonly details: readonly JsonObject[];
  readonly refusal: string;
  readonly audio: string | null;
  /** Content parts of unknown types. */
  readonly parts: readonly unknown[];
}

export const noNativeFields: NativeFields = {
  field: 'reasoning_content',
  details: [],
  refusal: '',
  audio: null,
  parts: [],
};

/** Native fields as items of a message's `providerState`, in a fixed order. */
export function stateOf(fields: NativeFields): readonly unknown[] {
  const items: unknown[] = [];
  if (fields.field === 'reasoning') items.push(spelling(fields.field));
  items.push(...fields.details);
  if (fields.refusal !== '') items.push(refusalItem(fields.refusal));
  if (fields.audio !== null) items.push({ type: 'audio', id: fields.audio });
  items.push(...fields.parts);
  return items;
}

/** Notes that the provider says `reasoning`, so that a replay says so too; it never tells two messages apart. */
export function spelling(field: ReasoningField): unknown {
  return { type: 'reasoning', field };
}

function refusalItem(refusal: string): unknown {
  return { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal }] };
}

/** The inverse of `stateOf`; items of other dialects are left out. */
export function fieldsOf(state: readonly unknown[]): NativeFields {
  const items = state.filter(isObject);
  const ofType = (type: string): readonly JsonObject[] =>
    items.filter((item) => item['type'] === type);
  const details = items.filter((item) => stringOf(item['type'])?.startsWith('reasoning.'));
  return {
    field: ofType('reasoning').some((item) => item['field'] === 'reasoning')
      ? 'reasoning'
      : 'reasoning_content',
    details: joinDetails(details),
    refusal: ofType('message')
      .map((item) => refusalText(listOf(item['content'])))
      .join(''),
    audio: stringOf(ofType('audio').at(-1)?.['id']),
    parts: ofType('part'),
  };
}

function refusalText(parts: readonly unknown[]): string {
  return parts
    .map((part) => (isObject(part) && part['type'] === 'refusal' ? stringOf(part['refusal']) : ''))
    .join('');
}

/** A content part of an unknown type, as an item. */
export function partItem(part: JsonObject): unknown {
  return { type: 'part', part: omit(part, ['cache_control']) };
}
