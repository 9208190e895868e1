import { objectOf, stringOf } from '@vf/core/dialect';

/** The text of a reply's blocks, which are of other kinds too. */
export function textIn(blocks: readonly unknown[]): string {
  return blocks
    .map(objectOf)
    .filter(({ type }) => type === 'text' || type === 'output_text')
    .map(({ text }) => stringOf(text) ?? '')
    .join('');
}
