import type { Template } from './family.ts';
import type { ControlPattern } from './tokenizer/control-pattern.ts';
import type { Tokenizer } from './tokenizer/tokenizer.ts';

/** A template with the tokenizer that it is rendered by. */
export interface Bound {
  readonly template: Template;
  readonly tokenizer: Tokenizer;
  readonly pattern: ControlPattern;
  /** Ids that end a reply, with their names. */
  readonly stops: ReadonlyMap<number, string>;
}
