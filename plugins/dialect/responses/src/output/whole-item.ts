import { isObject, listOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { Emit } from './open-item.ts';

/** An item that comes in one piece: a hosted call, encrypted reasoning, a message of refusals alone. */
export function writeWhole(item: JsonObject, index: number, emit: Emit): void {
  const isMessage = item['type'] === 'message';
  const added = isMessage ? { ...item, status: 'in_progress', content: [] } : item;
  emit('response.output_item.added', { output_index: index, item: added });
  if (isMessage) writeRefusals(item, index, emit);
  emit('response.output_item.done', { output_index: index, item });
}

function writeRefusals(item: JsonObject, index: number, emit: Emit): void {
  listOf(item['content']).forEach((part, at) => {
    const place = { item_id: item['id'], output_index: index, content_index: at };
    const refusal = isObject(part) ? stringOf(part['refusal']) : null;
    if (refusal === null) return;
    emit('response.content_part.added', { ...place, part: { type: 'refusal', refusal: '' } });
    emit('response.refusal.delta', { ...place, delta: refusal });
    emit('response.refusal.done', { ...place, refusal });
    emit('response.content_part.done', { ...place, part });
  });
}
