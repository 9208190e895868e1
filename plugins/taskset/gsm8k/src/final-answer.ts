/** The number that a reply gives as its result, and whether it is marked as asked. */
export interface FinalAnswer {
  readonly value: number;
  /** behind `####` or in `\boxed{}`; otherwise it is just the last number of the text */
  readonly marked: boolean;
}

/**
 * A sign only where no operand stands before it: `= -3` and `is -3`, but not `16-3`, `(2) - 3` or
 * `step-3`.
 */
const SIGN = String.raw`(?:(?<![\d)}%]\s?|\w)[-−])?`;
const WHOLE = String.raw`(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)`;
const NUMBER = new RegExp(
  String.raw`${SIGN}(?:[$€£]\s?)?${SIGN}(?:${WHOLE}(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?(?:\s?/\s?\d+(?:\.\d+)?)?`,
  'gi',
);
/** A reply made of nothing but marks must not cost the square of its length. */
const MARKS_TRIED = 16;
/** `####` with the number right behind it, so that a heading such as `#### Step` is no mark. */
const MARKS = /####[ \t*\\([{]*(?=[-−$€£.\d])|\\boxed\s*(?=\{)/g;

/**
 * Finds the result in a reply: the number right behind the last `####` or the last one in the last
 * `\boxed{}`, whichever mark comes later; without either, the last number. Understands thousands
 * commas, currency signs, decimals, exponents, plain and LaTeX fractions, and LaTeX's and
 * typographers' ways to part thousands.
 *
 * @returns null when the text holds no number
 */
export function finalAnswer(reply: string): FinalAnswer | null {
  const text = withoutLatex(reply);
  for (const mark of [...text.matchAll(MARKS)].slice(-MARKS_TRIED).toReversed()) {
    const rest = text.slice(mark.index + mark[0].length);
    const numbers = numbersIn(mark[0].startsWith('#') ? firstLine(rest) : braced(rest));
    const value = mark[0].startsWith('#') ? numbers[0] : numbers.at(-1);
    if (value !== undefined) return { value, marked: true };
  }
  const value = numbersIn(text).at(-1);
  return value === undefined ? null : { value, marked: false };
}

function withoutLatex(text: string): string {
  return text
    .replaceAll(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, '$1/$2')
    .replaceAll(/(\d)\{,\}(?=\d)/g, '$1,')
    .replaceAll(/(\d)\\[,;! ](?=\d{3})/g, '$1')
    .replaceAll(/(\d)[\u00a0\u2009\u202f](?=\d{3})/g, '$1')
    .replaceAll(/\\([$%])/g, '$1');
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(NUMBER)]
    .map(([written]) => parseNumber(written))
    .filter(Number.isFinite);
}

function parseNumber(written: string): number {
  const [top = '', bottom = '1'] = written
    .replaceAll('−', '-')
    .replaceAll(/[,$€£\s]/g, '')
    .split('/');
  return Number(top) / Number(bottom);
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

/** The text of a `{…}` group at the start, to its own closing brace or, cut short, to the end. */
function braced(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth += 1;
    if (text[i] === '}') depth -= 1;
    if (depth === 0) return text.slice(1, i);
  }
  return text.slice(1);
}
