import type { RequestFormat } from '@vf/core';
import { edits } from './edits.ts';
import { messages, opens } from './messages.ts';
import { preamble } from './preamble.ts';
import { restates } from './restates.ts';
import { rewrite } from './rewrite.ts';
import { settings } from './settings.ts';
import { tools } from './tools.ts';
import { write } from './write.ts';

/** A request with a conversation in `messages` and its system prompt beside it. */
export const request: RequestFormat = {
  growing: 'messages',
  opens,
  messages,
  preamble,
  tools,
  settings,
  edits,
  rewrite,
  restates,
  write,
  prefills: true,
};
