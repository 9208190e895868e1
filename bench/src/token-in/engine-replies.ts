import { replyOf, tokenizer } from './reply.ts';

/** One reply: in one piece, and as the events of a stream, of which the usage comes last but one. */
export interface Replies {
  readonly plain: Buffer;
  readonly events: readonly Buffer[];
}

/** Stands where a reply tells how long its prompt was. */
const lengthMark = '"prompt_tokens":100,';

/** The bytes with the length of the prompt that was sent. */
export function tellingLength(bytes: Buffer, prompt: number): Buffer {
  const at = bytes.lastIndexOf(lengthMark);
  if (at < 0) return bytes;
  const told = Buffer.from(`"prompt_tokens":${prompt},`);
  return Buffer.concat([bytes.subarray(0, at), told, bytes.subarray(at + lengthMark.length)]);
}

const sse = (data: object): Buffer => Buffer.from(`data: ${JSON.stringify(data)}\n\n`);
const done = Buffer.from('data: [DONE]\n\n');

/** What vLLM 0.32 answers: ids with logprobs (`generate`), a chat (`chat`), a chat with ids and logprobs (`told`). */
export function repliesOf(
  sampled: number,
): Readonly<Record<'generate' | 'chat' | 'told', Replies>> {
  const { ids, text } = replyOf(sampled);
  return {
    generate: generated(ids),
    chat: chatOf(ids, text, false),
    told: chatOf(ids, text, true),
  };
}

/** 32-bit numbers as JSON writes them, with all their digits. */
function logprobOf(at: number): number {
  return Math.fround(-((at * 7919) % 1000) / 997);
}

function usageOf(sampled: number): object {
  return { prompt_tokens: 100, completion_tokens: sampled, total_tokens: 100 + sampled };
}

function generated(ids: readonly number[]): Replies {
  const told = ids.map((id, at) => {
    const chosen = { token_id: id, logprob: logprobOf(at), rank: 1 };
    return { ...chosen, top_logprobs: [chosen] };
  });
  const usage = usageOf(ids.length);
  const answer = (from: number, to: number, finish: string | null): object => ({
    request_id: 'generate-1',
    usage: null,
    choices: [
      {
        index: 0,
        finish_reason: finish,
        stop_reason: null,
        token_ids: ids.slice(from, to),
        routed_experts: null,
        sampling_mask: null,
        weight_versions:
          finish === null ? null : [{ version: 'step-1', start: 0, end: ids.length }],
        logprobs: { content: told.slice(from, to) },
      },
    ],
  });
  return {
    plain: Buffer.from(JSON.stringify({ ...answer(0, ids.length, 'stop'), usage })),
    events: [
      ...ids.map((_, at) => sse(answer(at, at + 1, at === ids.length - 1 ? 'stop' : null))),
      sse({ request_id: 'generate-1', choices: [], usage }),
      done,
    ],
  };
}

function chatOf(ids: readonly number[], text: string, isTold: boolean): Replies {
  const head = { id: 'chatcmpl-1', created: 1, model: 'm' };
  const decoder = new TextDecoder();
  const pieces = ids
    .slice(0, -1)
    .map((id) => decoder.decode(tokenizer.bytes(id), { stream: true }));
  const side = (from: number, to: number): object =>
    isTold
      ? {
          token_ids: ids.slice(from, to),
          logprobs: {
            content: ids.slice(from, to).map((id, at) => ({
              token: Buffer.from(tokenizer.bytes(id)).toString(),
              logprob: logprobOf(from + at),
              bytes: [...tokenizer.bytes(id)],
              top_logprobs: [],
            })),
          },
        }
      : {};
  const chunk = (delta: object, finish: string | null, told: object): Buffer =>
    sse({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish, ...told }],
    });
  const usage = usageOf(ids.length);
  const message = { role: 'assistant', content: text };
  const choice = { index: 0, message, finish_reason: 'stop', ...side(0, ids.length) };
  return {
    plain: Buffer.from(
      JSON.stringify({ ...head, object: 'chat.completion', choices: [choice], usage }),
    ),
    events: [
      ...pieces.map((content, at) => chunk({ content }, null, side(at, at + 1))),
      chunk({}, 'stop', side(ids.length - 1, ids.length)),
      sse({ ...head, object: 'chat.completion.chunk', choices: [], usage }),
      done,
    ],
  };
}
