import { stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import type { ReplyNotes } from '../request/reply-notes.ts';

/** Why a reply stopped, where its reason alone does not say it. */
export function replyNotes(stop: JsonObject): ReplyNotes {
  const sequence = stringOf(stop['stop_sequence']);
  return {
    ...(sequence === null ? {} : { stop_sequence: sequence }),
    ...(stop['stop_details'] == null ? {} : { stop_details: stop['stop_details'] }),
  };
}
