import type { Tokenizer } from './tokenizer.ts';

/** A control token found in a template's words. */
export interface Control {
  readonly id: number;
  readonly name: string;
}

/** Finds a tokenizer's control tokens in text, the longest name first, as tokenizers do. */
export class ControlPattern {
  private readonly controls: ReadonlyMap<string, number>;
  private readonly pattern: RegExp;
  private readonly longest: number;
  private readonly known = new Map<string, readonly (string | Control)[]>();

  constructor(tokenizer: Tokenizer) {
    this.controls = tokenizer.controls;
    const names = [...this.controls.keys()];
    this.pattern = patternOf(names);
    this.longest = Math.max(0, ...names.map((name) => name.length));
  }

  /** Text and control tokens in order. Templates repeat themselves, so results are kept, a bounded number of them. */
  split(text: string): readonly (string | Control)[] {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const found = this.find(text);
    if (this.known.size < 1000) this.known.set(text, found);
    return found;
  }

  /** How many control tokens a text spells. */
  count(text: string): number {
    return text.match(this.pattern)?.length ?? 0;
  }

  /** The position itself, or the start of the control token that it lies in. */
  startOf(text: string, position: number): number {
    const from = Math.max(0, position - this.longest);
    for (const match of text.slice(from, position + this.longest).matchAll(this.pattern)) {
      const start = from + match.index;
      if (start < position && position < start + match[0].length) return start;
    }
    return position;
  }

  private find(text: string): (string | Control)[] {
    const found: (string | Control)[] = [];
    let from = 0;
    for (const match of text.matchAll(this.pattern)) {
      if (match.index > from) found.push(text.slice(from, match.index));
      const name = match[0];
      found.push({ name, id: this.controls.get(name) as number });
      from = match.index + name.length;
    }
    if (from < text.length) found.push(text.slice(from));
    return found;
  }
}

/** Names are grouped by their first character, so that ordinary text is passed over quickly. */
function patternOf(names: readonly string[]): RegExp {
  const groups = new Map<string, string[]>();
  for (const name of names.toSorted((a, b) => b.length - a.length)) {
    const group = groups.get(name.charAt(0)) ?? [];
    group.push(escapePattern(name.slice(1)));
    groups.set(name.charAt(0), group);
  }
  const alternatives = [...groups].map(
    ([first, rest]) => `${escapePattern(first)}(?:${rest.join('|')})`,
  );
  return new RegExp(alternatives.length === 0 ? '(?!)' : alternatives.join('|'), 'g');
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
