import type { ReadReply } from '@vf/core';
import { notesOf } from '../request/reply-notes.ts';
import { writeFinish } from './finish.ts';

/** Why a reply ended, as a reply and its last event say it. */
export interface WrittenStop {
  readonly stop_reason: string;
  readonly stop_sequence: string | null;
  readonly stop_details?: unknown;
}

export function writeStop({ message, finish, rawFinish, stopWord }: ReadReply): WrittenStop {
  const hasCalls = (message?.toolCalls ?? []).length > 0;
  const noted = notesOf(message?.providerState ?? []);
  const raw = stopWord === undefined ? rawFinish : 'stop_sequence';
  return {
    stop_reason: writeFinish(finish, raw, hasCalls),
    stop_sequence: stopWord ?? noted.stop_sequence ?? null,
    ...(noted.stop_details === undefined ? {} : { stop_details: noted.stop_details }),
  };
}
