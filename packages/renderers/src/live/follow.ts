import type { Delta } from '@vf/core';
import type { ControlNames } from '../tokenizer/control-names.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import { LiveDecoder } from './live-decoder.ts';
import type { LiveReply } from './live-reply.ts';

/**
 * Follows a reply while it is sampled: gives the text and reasoning that its finished message begins with, whatever is
 * sampled next. Calls come with the finished message only.
 */
export interface Follower {
  /** @param ids those sampled since the last time */
  push(ids: ArrayLike<number>): readonly Delta[];
}

/** What a renderer knows of its tokens. */
export interface Vocabulary {
  readonly tokenizer: Tokenizer;
  /** Tokens that are no text; null: a control token is the text that spells it. */
  readonly names: ControlNames | null;
  /** Ids that end a reply. */
  readonly stops: { has(id: number): boolean };
}

/** Tells `reply` what ids say, up to the one that ends it. */
export function follow(reply: LiveReply, { tokenizer, names, stops }: Vocabulary): Follower {
  const decoder = new LiveDecoder(tokenizer);
  let isOver = false;
  return {
    push(ids) {
      for (let at = 0; at < ids.length && !isOver; at++) {
        const id = ids[at] as number;
        const name = names?.get(id);
        isOver = stops.has(id);
        if (name === undefined && !isOver) decoder.push(id);
        else reply.text(decoder.end());
        if (name !== undefined && !isOver) reply.control(name);
      }
      reply.text(decoder.take());
      return reply.take();
    },
  };
}
