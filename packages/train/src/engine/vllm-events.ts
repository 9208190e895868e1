import { listOf } from '@vf/core/dialect';
import type { JsonObject } from '@vf/core/dialect';
import { createParser } from 'eventsource-parser';
import { failed, JsonNumbers, Written } from './json-numbers.ts';
import { SampledTokens } from './sampled-tokens.ts';
import { eventOf } from './stream-events.ts';
import { choiceOf, readAnswer, takeAnswer } from './vllm-answer.ts';
import type { AnswerForm } from './vllm-answer.ts';
import { readIds, readLogprobs } from './vllm-lists.ts';

const opening = Written.of('data: ');
const ending = '\n\n';
const closing = Written.of(ending);

/**
 * The events of a stream as the one answer that they are parts of. Events differ in their tokens alone, so one that
 * has the bytes of the last around its lists says what that said; any other is read as events and JSON are.
 */
export class VllmEvents {
  readonly tokens = new SampledTokens();
  /** Does each event tell the logprobs of its own ids, if it tells some? */
  areOwn = true;
  usage: unknown = null;
  /** The last choice that was told; its lists may be those of any event. */
  #last: JsonObject = {};
  /** Rows of sampling masks, of which each event tells those of its own ids. */
  readonly #maskRows: unknown[] = [];
  #form: EventForm | null = null;
  /** Has the parser nothing that is unfinished? */
  #isBetween = true;
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({ onEvent: ({ data }) => this.#take(data) });

  /** What is told beside the tokens. */
  get choice(): JsonObject {
    return this.#maskRows.length === 0
      ? this.#last
      : { ...this.#last, sampling_mask: this.#maskRows };
  }

  /**
   * @param bytes of the stream, wherever they are cut
   * @throws EngineFailed for an event that tells a failure, or nothing
   */
  push(bytes: Buffer): void {
    const json = new JsonNumbers(bytes);
    for (let at = 0; at < bytes.length;) {
      const behind = this.#isBetween ? this.#repeat(json, at) : failed;
      at = behind === failed ? this.#parse(bytes, at) : behind;
    }
  }

  /** An event like the last one. @returns the place behind it */
  #repeat(json: JsonNumbers, at: number): number {
    const form = this.#form;
    if (form === null) return failed;
    const { tokens } = this;
    const [count, told] = [tokens.count, tokens.told];
    const behind = form.read(json, at, tokens);
    if (behind === failed) [tokens.count, tokens.told] = [count, told];
    else this.#tell(form.answer);
    return behind;
  }

  /** Gives the parser what stands up to the end of an event. @returns the place behind it */
  #parse(bytes: Buffer, at: number): number {
    const found = bytes.indexOf(ending, at);
    const end = found < 0 ? bytes.length : found + ending.length;
    this.#isBetween = found >= 0;
    this.#parser.feed(this.#decoder.decode(bytes.subarray(at, end), { stream: true }));
    return end;
  }

  #take(data: string): void {
    if (data === '[DONE]') return;
    const form = readAnswer(Buffer.from(data), this.tokens);
    const answer = form !== null && form.answer['error'] == null ? form.answer : eventOf(data);
    this.#tell(answer);
    if (form === null) this.areOwn = takeAnswer(answer, this.tokens) && this.areOwn;
    else this.#form = new EventForm(form);
  }

  #tell(answer: JsonObject): void {
    this.usage = answer['usage'] ?? this.usage;
    if (listOf(answer['choices'])[0] === undefined) return;
    this.#last = choiceOf(answer);
    const { sampling_mask: rows } = this.#last;
    if (rows != null) for (const row of listOf(rows)) this.#maskRows.push(row);
  }
}

/** The bytes of an event around its lists. */
class EventForm {
  readonly answer: JsonObject;
  readonly #before: Written;
  readonly #between: Written;
  readonly #behind: Written;

  constructor({ answer, before, between, behind }: AnswerForm) {
    this.answer = answer;
    this.#before = new Written(before);
    this.#between = new Written(between);
    this.#behind = new Written(behind);
  }

  /** @returns the place behind the event */
  read(json: JsonNumbers, at: number, tokens: SampledTokens): number {
    if (tokens.told !== tokens.count) return failed;
    const ids = json.pass(json.pass(at, opening), this.#before);
    const idsEnd = readIds(json, ids, tokens);
    const listEnd = readLogprobs(json, json.pass(idsEnd, this.#between), tokens);
    return json.pass(json.pass(listEnd, this.#behind), closing);
  }
}
