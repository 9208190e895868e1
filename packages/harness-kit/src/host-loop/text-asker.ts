import type { HarnessCtx, Message } from '@vf/core';
import { wires } from '../wire/index.ts';
import type { HostDialect } from '../wire/index.ts';
import type { Reply } from '../wire/wire.ts';
import { ask } from './ask.ts';
import type { Failure } from './ask.ts';

/** One model call about a whole conversation, without tools. */
export type AskText = (
  messages: readonly Message[],
  signal: AbortSignal,
) => Promise<Pick<Reply, 'text' | 'isCut' | 'tokens'> | Failure>;

/** For loops in our process that keep their conversation themselves; a call is never tried again. */
export function textAsker({
  dialect,
  endpoint,
  model,
}: Pick<HarnessCtx<object, HostDialect>, 'dialect' | 'endpoint' | 'model'>): AskText {
  const wire = wires[dialect];
  return (messages, signal) => {
    const items = wire.items(messages);
    return ask(wire, endpoint, { model, system: null, items, tools: [], stream: false }, signal);
  };
}
