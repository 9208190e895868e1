import { isObject, listOf, numberOf, objectOf, stringOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { JsonNumbers, Written } from './json-numbers.ts';
import type { Lift } from './lifted.ts';

/** The tokens that an answer tells logprobs of, and these. */
export interface Chosen {
  readonly ids: readonly number[];
  /** NaN where there is none. */
  readonly logprobs: readonly number[];
}

/** `logprobs.content` of the first choice, as vLLM writes it without white space. */
export const chosenList: Lift<Chosen> = {
  opening: Buffer.from('"logprobs":{"content":['),
  read: readChosen,
  place: (answer) => contentOf(objectOf(listOf(objectOf(answer)['choices'])[0])),
};

/** The same from a choice that was parsed. */
export function chosenOf(choice: JsonObject): Chosen {
  const entries = listOf(contentOf(choice)).map(objectOf);
  return {
    ids: entries.map(idOf),
    logprobs: entries.map(({ logprob }) => numberOf(logprob) ?? Number.NaN),
  };
}

function contentOf(choice: JsonObject): unknown {
  const { logprobs } = choice;
  return isObject(logprobs) ? logprobs['content'] : undefined;
}

/** Older servers write `token: "token_id:42"`. */
function idOf({ token_id: id, token }: JsonObject): number {
  if (typeof id === 'number') return id;
  const written = /^token_id:(\d+)$/.exec(stringOf(token) ?? '')?.[1];
  return written === undefined ? -1 : Number(written);
}

const id = new Written('{"token_id":');
const logprob = new Written(',"logprob":');
const rank = new Written(',"rank":');
const none = new Written('null');
const others = new Written(',"top_logprobs":[');
const last = new Written(']}');
const [brace, bracket, comma] = [new Written('}'), new Written(']'), new Written(',')];

function readChosen(bytes: Buffer, from: number): ReturnType<Lift<Chosen>['read']> {
  const json = new JsonNumbers(bytes, from);
  const [ids, logprobs]: [number[], number[]] = [[], []];
  if (json.takes(bracket)) return { list: { ids, logprobs }, end: json.at };
  for (;;) {
    const begin = json.at;
    const token = readToken(json);
    if (token === null) return null;
    ids.push(token.id);
    logprobs.push(token.logprob);
    if (!json.takes(others) || !passOthers(json, begin, json.at - others.length)) return null;
    if (json.takes(bracket)) return { list: { ids, logprobs }, end: json.at };
    if (!json.takes(comma)) return null;
  }
}

/** A token, without its closing brace. */
function readToken(json: JsonNumbers): { readonly id: number; readonly logprob: number } | null {
  if (!json.takes(id)) return null;
  const token = json.number();
  if (!json.takes(logprob)) return null;
  const value = json.number();
  if (!json.takes(rank)) return null;
  if (!json.takes(none) && !Number.isFinite(json.number())) return null;
  return Number.isFinite(token) && Number.isFinite(value) ? { id: token, logprob: value } : null;
}

/** The candidates, the first of which is most often the token itself, up to the end of its entry. */
function passOthers(json: JsonNumbers, from: number, to: number): boolean {
  if (json.takes(last)) return true;
  for (;;) {
    if (!json.repeats(from, to) && readToken(json) === null) return false;
    if (!json.takes(brace)) return false;
    if (json.takes(last)) return true;
    if (!json.takes(comma)) return false;
  }
}
