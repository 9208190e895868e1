import type { RequestFormat } from '@vf/core';
import { stringOf } from '@vf/core/dialect';
import { editsOf } from './edits.ts';
import { messagesOf, opens, preambleOf } from './messages.ts';
import { restates } from './restates.ts';
import { rewriteOf } from './rewrite.ts';
import { settingsOf } from './settings.ts';
import { toolsOf } from './tools.ts';
import { writeRequest } from './write-request.ts';

/** A request with a conversation in `input` and its system prompt in `instructions`. */
export const request: RequestFormat = {
  growing: 'input',
  opens,
  messages: messagesOf,
  preamble: preambleOf,
  tools: toolsOf,
  settings: settingsOf,
  edits: editsOf,
  rewrite: rewriteOf,
  restates,
  write: writeRequest,
  // An empty one names no reply.
  continues: (top) => stringOf(top['previous_response_id']) || null,
};
