import type { Delta } from '@vf/core';
import { linesBehind, spaceBehind, spaceInFront } from '../families/shared/text.ts';
import { marksBehind } from '../parse/reasoning.ts';
import type { ThinkMarks } from '../parse/reasoning.ts';
import type { LiveReply } from './live-reply.ts';
import { LiveText } from './live-text.ts';

/** What of a reply with such marks is certain before it is whole. */
export interface MarkedRules {
  /** Marks of reasoning; null: the family has none. */
  readonly think: ThinkMarks | null;
  /** The control token with which calls begin; text behind it is not certain. null: there are none. */
  readonly calls: string | null;
  /** White space before content is not a part of it. */
  readonly strips?: boolean;
  /** A reply that begins so may be a call. */
  readonly callBegins?: string;
}

/** `Template.live` of a family that parts reasoning, content and calls by control tokens. */
export function marked(rules: MarkedRules): (opens: boolean | null) => LiveReply {
  const { think } = rules;
  return (opens) =>
    new MarkedReply({ ...rules, think: think === null ? null : marksBehind(think, opens) });
}

const lines = /^\n+/;
const nothing = /^$/;

/** `begin`: white space alone so far; `held`: what follows shows at the end. */
type State = 'begin' | 'reasoning' | 'content' | 'held';

class MarkedReply implements LiveReply {
  readonly #rules: MarkedRules;
  readonly #reasoning = new LiveText('reasoning', lines, linesBehind);
  #content: LiveText;
  #state: State = 'begin';
  /** White space before anything else. */
  #blank = '';

  constructor(rules: MarkedRules) {
    this.#rules = rules;
    this.#content = this.#contentBehind(nothing);
  }

  text(part: string): void {
    if (this.#state === 'begin') this.#begin(part);
    else if (this.#state === 'reasoning') this.#reasoning.add(part);
    else if (this.#state === 'content') this.#content.add(part);
  }

  control(name: string): void {
    const { think, calls } = this.#rules;
    const isReasoning =
      this.#state === 'reasoning' || (this.#state === 'begin' && think?.opened === 'yes');
    if (this.#state === 'begin' && name === think?.open) this.#open();
    else if (name === think?.close && this.#mayClose(isReasoning)) this.#close();
    else if (name === calls && !isReasoning) this.#state = 'held';
    else this.text(name);
  }

  take(): readonly Delta[] {
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

  #begin(part: string): void {
    this.#blank += part;
    const start = this.#blank.trimStart();
    if (start === '') return;
    this.#state = this.#stateAfter(start);
    this.text(this.#blank);
    this.#blank = '';
  }

  #stateAfter(start: string): State {
    const { think, callBegins } = this.#rules;
    if (callBegins !== undefined && start.startsWith(callBegins)) return 'held';
    if (think === null || think.opened === 'no') return 'content';
    return think.opened === 'yes' ? 'reasoning' : 'held';
  }
}
