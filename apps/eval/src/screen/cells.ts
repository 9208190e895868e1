import { eastAsianWidth } from 'get-east-asian-width';

/** Columns of a terminal that a text takes; control characters take none. */
export function cellsOf(text: string): number {
  if (isPlain(text)) return text.length;
  return graphemesOf(text).reduce((sum, grapheme) => sum + cellsOfGrapheme(grapheme), 0);
}

/** What a reader takes for one character each. */
export function graphemesOf(text: string): string[] {
  // Made when it is needed: it loads tables that take a tenth of the start of vf.
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Printable ASCII, a column a letter. */
export function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

let segmenter: Intl.Segmenter | undefined;

function cellsOfGrapheme(grapheme: string): number {
  if (/^\p{RGI_Emoji}$/v.test(grapheme)) return 2;
  const visible = grapheme.replaceAll(
    /[\p{Control}\p{Format}\p{Mark}\p{Default_Ignorable_Code_Point}]/gu,
    '',
  );
  const first = visible.codePointAt(0);
  return first === undefined ? 0 : eastAsianWidth(first);
}
