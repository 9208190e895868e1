import type { Dialect, ReadReply } from '../contract/dialect.ts';
import { listOf } from '../dialect-kit/json.ts';
import { VfError } from '../errors/vf-error.ts';
import type { Message } from '../message.ts';
import type { ModelForm, ModelReply, ModelRequest } from './model.ts';

/**
 * Reads the calls of an SDK whose parameters and results are the JSON of a dialect, such as
 * `(body) => client.chat.completions.create(body)`. Replies come whole; a streamed call is refused.
 */
export function formOf(
  dialect: Dialect,
): ModelForm<[parameters: object, ...rest: unknown[]], object> {
  return {
    request: (parameters) => requestOf(dialect, { ...parameters }),
    reply: (result) => replyOf(dialect, result),
    restates: (sampled, said) => dialect.request.restates(sampled, said),
  };
}

/** @throws VfError usage/invalid for a streamed call */
function requestOf({ id, request }: Dialect, top: Readonly<Record<string, unknown>>): ModelRequest {
  if (top['stream'] === true) {
    throw new VfError('usage/invalid', `a streamed call of ${id} cannot be captured`, {
      hint: 'ask for the reply in one piece: stream: false',
    });
  }
  const items = top[request.growing];
  // What is no list (`input` as a text) is the preamble's to read.
  const shell = Array.isArray(items) ? { ...top, [request.growing]: [] } : top;
  return {
    messages: [...request.preamble(shell), ...messagesOf(request, listOf(items))],
    tools: request.tools(shell),
    settings: request.settings(shell, ''),
  };
}

/** One group of items after another, each from where a message opens to the next. */
function messagesOf(request: Dialect['request'], items: readonly unknown[]): Message[] {
  const starts = items.flatMap((item, at) =>
    at === 0 || request.opens(item, items[at - 1]) ? [at] : [],
  );
  return starts.flatMap((start, at) => request.messages(items.slice(start, starts[at + 1])));
}

function replyOf(dialect: Dialect, result: object): ModelReply {
  const head = { status: 200, headers: [] };
  const reader = dialect.reader({ stream: false, deltas: false, head, edits: [] });
  reader.push({ name: null, data: JSON.stringify(result) });
  const reply = reader.end();
  if (reply.message === null) {
    throw new VfError('provider/malformed', `the result is no reply of ${dialect.id}`, {
      hint: reply.error?.message ?? 'give what the SDK resolves with, whole',
    });
  }
  return { message: reply.message, ...told(reply) };
}

function told({ finish, usage, model, id }: ReadReply): Omit<ModelReply, 'message'> {
  return {
    ...(finish === null ? {} : { finish }),
    ...(usage === null ? {} : { usage }),
    ...(model === null ? {} : { model }),
    ...(id === null ? {} : { id }),
  };
}
