import type { Delta } from '@vf/core';
import type { JsonObject } from '@vf/core/dialect';
import { reasoningOf, textsOf, toolCallOf } from '../assistant.ts';
import type { Slot } from './slot.ts';

interface Reported {
  reasoned: boolean;
}

/** The delta of a text event. Each stretch of reasoning begins on a line of its own, as in the message. */
export function reportPiece(
  slot: Slot,
  piece: Slot['pieces'][number],
  more: string,
  state: Reported,
): readonly Delta[] {
  if (more === '' || piece.kind === 'refusal') return [];
  const { reported } = slot;
  if (piece.kind === 'output_text') {
    reported.text += more;
    return [{ type: 'text', text: more }];
  }
  const isNew = reported.lastPiece !== piece;
  reported.lastPiece = piece;
  const inItem = isNew && reported.reasoning !== '' ? `\n${more}` : more;
  const text = isNew && state.reasoned ? `\n${more}` : more;
  reported.reasoning += inItem;
  state.reasoned = true;
  return [{ type: 'reasoning', text }];
}

/** Announces a call once its name is known. */
export function reportCall(slot: Slot): readonly Delta[] {
  const call = toolCallOf(slot.item);
  if (call === null || slot.call === null || slot.reported.call || call.name === '') return [];
  slot.reported.call = true;
  const { id, name, namespace } = call;
  return [
    {
      type: 'call',
      index: slot.call,
      id,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(call.kind === 'custom' ? { custom: true } : {}),
    },
  ];
}

export function reportInput(slot: Slot, more: string): readonly Delta[] {
  if (more === '' || slot.call === null || !slot.reported.call) return [];
  slot.reported.input += more;
  return [{ type: 'arguments', index: slot.call, text: more }];
}

/** Takes the finished item over, reports what no delta told, then the item itself. */
export function finishItem(slot: Slot, item: JsonObject, state: Reported): readonly Delta[] {
  slot.item = item;
  slot.isDone = true;
  const deltas: Delta[] = [];
  const { reported } = slot;
  const text = after(reported.text, item['type'] === 'message' ? textsOf(item).join('') : '');
  if (text !== '') deltas.push({ type: 'text', text });
  const reasoning = item['type'] === 'reasoning' ? reasoningOf(item).join('\n') : '';
  const thought = after(reported.reasoning, reasoning);
  if (thought !== '') {
    deltas.push({
      type: 'reasoning',
      text: reported.reasoning === '' && state.reasoned ? `\n${thought}` : thought,
    });
    state.reasoned = true;
  }
  deltas.push(...reportCall(slot));
  const input = toolCallOf(item)?.arguments ?? '';
  deltas.push(...reportInput(slot, after(reported.input, input)));
  deltas.push({ type: 'native', item });
  return deltas;
}

function after(seen: string, whole: string): string {
  return whole.startsWith(seen) ? whole.slice(seen.length) : '';
}
