import { failed, Written } from './json-numbers.ts';
import type { JsonNumbers } from './json-numbers.ts';
import type { SampledTokens } from './sampled-tokens.ts';

/** `[`, `]`, `}`, `,` and `n` */
const [bracket, closing, brace, comma, letterN] = [91, 93, 125, 44, 110];

/** Adds the ids of a list. @returns the place behind it */
export function readIds(json: JsonNumbers, from: number, tokens: SampledTokens): number {
  if (json.byte(from) !== bracket) return failed;
  let at = from + 1;
  if (json.byte(at) === closing) return at + 1;
  for (;;) {
    at = json.integer(at);
    if (at === failed) return failed;
    tokens.addId(json.whole);
    const next = json.byte(at++);
    if (next === closing) return at;
    if (next !== comma) return failed;
  }
}

const id = Written.of('{"token_id":');
const logprob = Written.of(',"logprob":');
const rank = Written.of(',"rank":');
const none = Written.of('null');
const others = Written.of(',"top_logprobs":[');

/** Adds the logprobs of the ids that have none yet; a list of other tokens fails. @returns the place behind it */
export function readLogprobs(json: JsonNumbers, from: number, tokens: SampledTokens): number {
  if (json.byte(from) !== bracket) return failed;
  let at = from + 1;
  for (let index = tokens.told; index < tokens.count; index++) {
    at = readEntry(json, at, tokens);
    if (index + 1 === tokens.count) break;
    if (json.byte(at++) !== comma) return failed;
  }
  return json.byte(at) === closing ? at + 1 : failed;
}

function readEntry(json: JsonNumbers, from: number, tokens: SampledTokens): number {
  const behind = readId(json, from);
  if (behind === failed || json.whole !== tokens.id(tokens.told)) return failed;
  const told = readLogprob(json, behind);
  tokens.addLogprob(json.value);
  const end = readRank(json, told);
  return passOthers(json, json.pass(end, others), from, end);
}

function readId(json: JsonNumbers, at: number): number {
  return json.integer(json.pass(at, id));
}

function readLogprob(json: JsonNumbers, at: number): number {
  return json.float32(json.pass(at, logprob));
}

function readRank(json: JsonNumbers, at: number): number {
  const behind = json.pass(at, rank);
  return json.byte(behind) === letterN ? json.pass(behind, none) : json.integer(behind);
}

/**
 * Passes over the candidates, the first of which is most often the token itself.
 * @param from where the token's own entry begins; @param to where its candidates begin
 */
function passOthers(json: JsonNumbers, begin: number, from: number, to: number): number {
  let at = begin;
  let isMore = json.byte(at) !== closing;
  while (isMore) {
    const same = json.repeat(at, from, to);
    at = same === failed ? readRank(json, readLogprob(json, readId(json, at))) : same;
    if (json.byte(at++) !== brace) return failed;
    isMore = json.byte(at) === comma;
    if (isMore) at++;
  }
  return json.byte(at) === closing && json.byte(at + 1) === brace ? at + 2 : failed;
}
