import type { ThinkMarks } from '../parse/reasoning.ts';

/** What of a reply is certain before it is whole; a template whose `parse` decides otherwise has no such rules. */
export interface LiveRules {
  /** Marks of reasoning; null: the family has none. */
  readonly think: ThinkMarks | null;
  /** The control token with which calls begin; text behind it is not certain. null: there are none. */
  readonly calls: string | null;
  /** White space before content is not a part of it. */
  readonly strips?: boolean;
  /** A reply that begins so may be a call. */
  readonly callBegins?: string;
}
