import { readFileSync } from 'node:fs';
import type { AssistantMessage, Dialect, Head } from '@vf/core';

export interface RecordedCall {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly reply: string;
}

interface Line {
  readonly method: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly response: { readonly body?: string };
}

/** The model calls of one agent's recorded session, in order. */
export function callsOf(agent: string): RecordedCall[] {
  const file = new URL(`../../fixtures/wire/${agent}.jsonl`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.flatMap((text) => {
    const { path, body, response } = JSON.parse(text) as Line;
    return body === null ? [] : [{ path, body, reply: response.body ?? '' }];
  });
}

const head: Head = { status: 200, headers: ['content-type', 'text/event-stream'] };

/** The sampled message of a recorded reply. */
export function sampledBy(dialect: Dialect, reply: string): AssistantMessage | null {
  const reader = dialect.reader({ stream: true, deltas: false, head, edits: [] });
  for (const block of reply.split(/\n\n/).filter((text) => text !== '')) {
    const name = /^event: (.*)$/m.exec(block)?.[1] ?? null;
    const data = /^data: (.*)$/m.exec(block)?.[1] ?? '';
    reader.push({ name, data });
  }
  return reader.end().message;
}
