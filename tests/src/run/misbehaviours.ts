import { cut, deliver, fail, failInStream, hang, hangUp, say } from '@vf/testkit';
import type { Reply } from '@vf/testkit';

/** What a provider does to every call of a rollout, and what is to become of the rollout. */
export interface Misbehaviour {
  readonly reply: Reply;
  /** Error code; null: the reply is good all the same. */
  readonly code: string | null;
  /** Attempts the server makes for one call of the agent. */
  readonly attempts: number;
  /** Does the rollout try again as a whole? */
  readonly again: boolean;
}

const longText = say('word '.repeat(40), { pieces: 20 });
const broken = { code: 'provider/stream_cut', again: true };

/** By what they are called in the prompts. Rows that differ between streamed and plain replies stand below. */
const always: Readonly<Record<string, Misbehaviour>> = {
  'an answer that is no JSON': {
    reply: fail(200, { body: '{"choices": [{"mess' }),
    code: 'provider/malformed',
    attempts: 1,
    again: true,
  },
  'status 200 with an error body': {
    reply: fail(200, { message: 'it went wrong', code: 'server_error' }),
    code: 'provider/server_error',
    attempts: 4,
    again: true,
  },
  'an error event in the stream': {
    reply: failInStream('overloaded_error', 'too busy'),
    code: 'provider/overloaded',
    attempts: 4,
    again: true,
  },
  '429 for an hour': {
    reply: fail(429, { retryAfter: 3600 }),
    code: 'provider/rate_limited',
    attempts: 1,
    again: false,
  },
  '429 for ever': {
    reply: fail(429, { retryAfter: 0 }),
    code: 'provider/rate_limited',
    attempts: 4,
    again: true,
  },
  'status 500': { reply: fail(500), code: 'provider/server_error', attempts: 4, again: true },
  'a refused key': { reply: fail(401), code: 'provider/auth', attempts: 1, again: false },
  'an unknown model': {
    reply: fail(404),
    code: 'provider/unknown_model',
    attempts: 1,
    again: false,
  },
  'a closed connection': {
    reply: hangUp(),
    code: 'provider/unreachable',
    attempts: 4,
    again: true,
  },
  silence: { reply: hang(), code: 'provider/unreachable', attempts: 1, again: false },
  'silence in the middle': {
    reply: [longText, cut(5, 'hang')],
    code: 'provider/unreachable',
    attempts: 1,
    again: false,
  },
  gzip: {
    reply: [say('Good.'), deliver({ encoding: 'gzip' })],
    code: null,
    attempts: 1,
    again: false,
  },
  br: { reply: [say('Good.'), deliver({ encoding: 'br' })], code: null, attempts: 1, again: false },
  zstd: {
    reply: [say('Good.'), deliver({ encoding: 'zstd' })],
    code: null,
    attempts: 1,
    again: false,
  },
};

/** A stream that breaks after its first event has reached the agent is never asked for again. */
const streamed: Readonly<Record<string, Misbehaviour>> = {
  'a body that is cut': { ...broken, reply: [longText, cut(5)], attempts: 1 },
  'a body that is reset': { ...broken, reply: [longText, cut(5, 'reset')], attempts: 1 },
  'an end without the terminal event': { ...broken, reply: [longText, cut(5, 'end')], attempts: 1 },
};

/** Nothing of a plain reply leaves before it is whole. */
const plain: Readonly<Record<string, Misbehaviour>> = {
  'a body that is cut': { ...broken, reply: [longText, cut(5)], attempts: 4 },
  'a body that is reset': { ...broken, reply: [longText, cut(5, 'reset')], attempts: 4 },
  'half a body': {
    reply: [longText, cut(5, 'end')],
    code: 'provider/malformed',
    attempts: 1,
    again: true,
  },
};

export function misbehaviours(stream: boolean): Readonly<Record<string, Misbehaviour>> {
  return { ...always, ...(stream ? streamed : plain) };
}
