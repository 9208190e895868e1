import type { Delta } from '@vf/core';
import { linesBehind, spaceBehind, spaceInFront } from '../families/shared/text.ts';
import type { ControlNames } from '../tokenizer/control-names.ts';
import { marksBehind } from '../parse/reasoning.ts';
import type { Tokenizer } from '../tokenizer/tokenizer.ts';
import type { LiveRules } from './live-rules.ts';
import { LiveText } from './live-text.ts';

/**
 * Follows a reply while it is sampled: gives the text and reasoning that its finished message begins with, whatever is
 * sampled next. Calls come with the finished message only.
 */
export interface Follower {
  /** @param ids those sampled since the last time */
  push(ids: ArrayLike<number>): readonly Delta[];
}

/** What a renderer knows of its tokens. */
export interface Vocabulary {
  readonly tokenizer: Tokenizer;
  readonly names: ControlNames;
  /** Those that end a reply. */
  readonly stops: ReadonlyMap<number, string>;
}

/** @param opens see `marksBehind` */
export function follow(rules: LiveRules, vocabulary: Vocabulary, opens: boolean | null): Follower {
  const { tokenizer, names, stops } = vocabulary;
  const think = rules.think === null ? null : marksBehind(rules.think, opens);
  const reader = new LiveReply({ ...rules, think }, tokenizer);
  return {
    push(ids) {
      for (let at = 0; at < ids.length; at++) {
        const id = ids[at] as number;
        const name = names.get(id);
        if (name === undefined) reader.token(id);
        else if (stops.has(id)) reader.stop();
        else reader.control(name);
      }
      return reader.take();
    },
  };
}

const lines = /^\n+/;
const nothing = /^$/;

/** `begin`: white space alone so far; `held`: what follows shows at the end. */
type State = 'begin' | 'reasoning' | 'content' | 'held';

class LiveReply {
  readonly #rules: LiveRules;
  readonly #tokenizer: Tokenizer;
  readonly #reasoning = new LiveText('reasoning', lines, linesBehind);
  #content: LiveText;
  #state: State = 'begin';
  /** White space before anything else. */
  #blank = '';
  #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #undecoded: number[] = [];

  constructor(rules: LiveRules, tokenizer: Tokenizer) {
    this.#rules = rules;
    this.#tokenizer = tokenizer;
    this.#content = this.#contentBehind(nothing);
  }

  token(id: number): void {
    if (this.#state !== 'held') this.#undecoded.push(id);
  }

  control(name: string): void {
    this.#endText();
    const { think, calls } = this.#rules;
    const isReasoning =
      this.#state === 'reasoning' || (this.#state === 'begin' && think?.opened === 'yes');
    if (this.#state === 'begin' && name === think?.open) this.#open();
    else if (name === think?.close && this.#mayClose(isReasoning)) this.#close();
    else if (name === calls && !isReasoning) this.#state = 'held';
    else this.#text(name);
  }

  stop(): void {
    this.#endText();
    this.#state = 'held';
  }

  take(): readonly Delta[] {
    this.#decode();
    return [...this.#reasoning.take(), ...this.#content.take()];
  }

  #open(): void {
    this.#blank = '';
    this.#state = 'reasoning';
  }

  #mayClose(isReasoning: boolean): boolean {
    return isReasoning || (this.#state === 'begin' && this.#rules.think?.opened === 'perhaps');
  }

  #close(): void {
    this.#reasoning.add(this.#blank);
    this.#content = this.#contentBehind(lines);
    this.#state = 'content';
  }

  #contentBehind(leading: RegExp): LiveText {
    return new LiveText('text', this.#rules.strips === true ? spaceInFront : leading, spaceBehind);
  }

  #text(text: string): void {
    if (this.#state === 'begin') this.#begin(text);
    else if (this.#state === 'reasoning') this.#reasoning.add(text);
    else if (this.#state === 'content') this.#content.add(text);
  }

  #begin(text: string): void {
    this.#blank += text;
    const start = this.#blank.trimStart();
    if (start === '') return;
    this.#state = this.#stateAfter(start);
    this.#text(this.#blank);
    this.#blank = '';
  }

  #stateAfter(start: string): State {
    const { think, callBegins } = this.#rules;
    if (callBegins !== undefined && start.startsWith(callBegins)) return 'held';
    if (think === null || think.opened === 'no') return 'content';
    return think.opened === 'yes' ? 'reasoning' : 'held';
  }

  #decode(): void {
    if (this.#undecoded.length === 0) return;
    const bytes = this.#tokenizer.join(this.#undecoded, 0, this.#undecoded.length);
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#undecoded = [];
    this.#text(text);
  }

  /** A control token ends a text; bytes of a character that is not whole are none. */
  #endText(): void {
    this.#decode();
    this.#text(this.#decoder.decode());
    this.#decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  }
}
