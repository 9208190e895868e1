import { randomUUID } from 'node:crypto';
import { isObject, listOf, numberOf, objectOf, parseJson, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { failed, JsonNumbers } from './json-numbers.ts';
import type { SampledTokens } from './sampled-tokens.ts';
import { readIds, readLogprobs } from './vllm-lists.ts';

/** What an answer says beside its lists, with the bytes around them. */
export interface AnswerForm {
  readonly answer: JsonObject;
  readonly before: Buffer;
  readonly between: Buffer;
  readonly behind: Buffer;
}

/** As vLLM writes them, with their brackets. */
const idsOpening = Buffer.from('"token_ids":[');
const listOpening = Buffer.from('"logprobs":{"content":[');

/** Stands in place of a list. Nobody else can write it, so that a list from another place is not taken for it. */
const mark = `list-${randomUUID()}`;
const written = Buffer.from(JSON.stringify(mark));
const utf8 = new TextDecoder();

/**
 * The ids and logprobs of an answer, added to `tokens` as numbers: objects for thousands of tokens cost more than all
 * else of a call.
 * @returns null where it is written in another way; nothing is added then
 */
export function readAnswer(bytes: Buffer, tokens: SampledTokens): AnswerForm | null {
  const [count, told] = [tokens.count, tokens.told];
  const form = count === told ? formOf(bytes, tokens) : null;
  if (form === null) [tokens.count, tokens.told] = [count, told];
  return form;
}

function formOf(bytes: Buffer, tokens: SampledTokens): AnswerForm | null {
  const ids = bracketBehind(bytes, idsOpening, 0);
  if (ids === failed) return null;
  const json = new JsonNumbers(bytes);
  const idsEnd = readIds(json, ids, tokens);
  if (idsEnd === failed) return null;
  const list = bracketBehind(bytes, listOpening, idsEnd);
  const listEnd = readLogprobs(json, list, tokens);
  if (listEnd === failed) return null;
  const before = bytes.subarray(0, ids);
  const between = bytes.subarray(idsEnd, list);
  const behind = bytes.subarray(listEnd);
  const rest = Buffer.concat([before, written, between, written, behind]);
  const answer = parseJson(utf8.decode(rest));
  return isObject(answer) && isMarked(answer) ? { answer, before, between, behind } : null;
}

/** The place of the bracket that a list opens with. */
function bracketBehind(bytes: Buffer, opening: Buffer, from: number): number {
  const found = bytes.indexOf(opening, from);
  return found < 0 ? failed : found + opening.length - 1;
}

function isMarked(answer: JsonObject): boolean {
  const choice = choiceOf(answer);
  return choice['token_ids'] === mark && objectOf(choice['logprobs'])['content'] === mark;
}

/** The same from an answer that was parsed. @returns whether its logprobs, if it tells some, are those of its ids */
export function takeAnswer(answer: JsonObject, tokens: SampledTokens): boolean {
  const { token_ids: ids, logprobs } = choiceOf(answer);
  const entries = listOf(objectOf(logprobs)['content']).map(objectOf);
  const first = tokens.count;
  for (const told of listOf(ids)) tokens.addId(idOr(told));
  for (const { logprob } of entries) tokens.addLogprob(numberOf(logprob) ?? Number.NaN);
  if (entries.length === 0) return true;
  const isEach = entries.every((entry, at) => idOf(entry) === tokens.id(first + at));
  return isEach && tokens.told === tokens.count;
}

export function choiceOf(answer: unknown): JsonObject {
  return objectOf(listOf(objectOf(answer)['choices'])[0]);
}

/** The id that an entry of logprobs is of, −1 where it does not say. Older servers write `token: "token_id:42"`. */
export function idOf({ token_id: id, token }: JsonObject): number {
  if (typeof id === 'number') return id;
  const told = /^token_id:(\d+)$/.exec(stringOf(token) ?? '')?.[1];
  return told === undefined ? -1 : Number(told);
}

/** −1, which is in no vocabulary, for what is no id. */
function idOr(told: unknown): number {
  return Number.isInteger(told) && Number(told) < 2 ** 31 ? Math.max(-1, Number(told)) : -1;
}
