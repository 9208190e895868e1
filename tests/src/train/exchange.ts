import type { Call, Dialect, Exchange, Message, Prefix, ReadReply, ToolSpec } from '@vf/core';

const nothing: Prefix = { messages: 0, tokens: null };

/** A call of the model `policy`. */
export function callOf(
  said: readonly Message[],
  stream = false,
  tools: readonly ToolSpec[] = [],
): Call {
  return { preamble: [], messages: said, tools, settings: { model: 'policy', stream } };
}

/** One attempt at a call, its ids counted from 1 and its clock at 0. */
export function exchangeOf(
  dialect: Dialect,
  call: Call,
  kind: Exchange['kind'] = 'turn',
  prefix: Prefix = nothing,
): Exchange {
  let ids = 0;
  return {
    rollout: { id: 'rollout', newId: (start) => `${start}${++ids}`, now: () => 0 },
    kind,
    dialect,
    attempt: 1,
    request: { method: 'POST', path: '/', headers: [], body: [] },
    call: () => call,
    prefix: () => prefix,
  };
}

/** What an agent reads of a reply's bytes. */
export function readReply(dialect: Dialect, stream: boolean, text: string): ReadReply {
  const reader = dialect.reader({
    stream,
    deltas: false,
    head: { status: 200, headers: [] },
    edits: [],
  });
  const events = stream
    ? text.split('\n\n').flatMap((event) => {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        const name = /^event: (.*)$/m.exec(event)?.[1] ?? null;
        return data === undefined ? [] : [{ name, data }];
      })
    : [{ name: null, data: text }];
  for (const event of events) reader.push(event);
  return reader.end();
}
