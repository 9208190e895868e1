import type { IndexEntry } from '@vf/store';
import type { Comparison, FlagField, NumberField, Term } from './parse-where.ts';

/** Does an entry of the index meet every term? Terms of text need the episode itself: see `textTerms`. */
export function entryMatcher(terms: readonly Term[]): (entry: IndexEntry) => boolean {
  const tests = terms.flatMap((term) => {
    const test = testOf(term);
    return test === null ? [] : [test];
  });
  return (entry) => tests.every((test) => test(entry));
}

/** Does a stored line hold, or with a negated term lack, each text? Upper and lower case are one. */
export function lineMatcher(terms: readonly Term[]): ((line: string) => boolean) | null {
  const texts = terms.flatMap((term) => (term.type === 'text' ? [term] : []));
  if (texts.length === 0) return null;
  const needles = texts.map(({ text, negated }) => ({
    needle: JSON.stringify(text).slice(1, -1).toLowerCase(),
    negated,
  }));
  return (line) => {
    const lower = line.toLowerCase();
    return needles.every(({ needle, negated }) => lower.includes(needle) !== negated);
  };
}

function testOf(term: Term): ((entry: IndexEntry) => boolean) | null {
  if (term.type === 'text') return null;
  const test =
    term.type === 'number'
      ? numberTest(term)
      : term.type === 'glob'
        ? globTest(term)
        : flags[term.field];
  return term.negated ? (entry) => !test(entry) : test;
}

function numberTest({ field, is, value }: Term & { type: 'number' }) {
  const read = numbers[field];
  const compare = comparisons[is];
  return (entry: IndexEntry): boolean => {
    const number = read(entry);
    return number !== null && compare(number, value);
  };
}

function globTest({ field, glob }: Term & { type: 'glob' }) {
  const matches = globMatcher(glob);
  return (entry: IndexEntry): boolean => {
    if (field === 'task')
      return matches(entry.task) || (entry.name !== undefined && matches(entry.name));
    if (field === 'stop') return entry.stop !== null && matches(entry.stop);
    const code = entry.error?.code;
    return code !== undefined && (matches(code) || matches(code.split('/', 1)[0] ?? ''));
  };
}

const flags: Readonly<Record<FlagField, (entry: IndexEntry) => boolean>> = {
  truncated: ({ isTruncated }) => isTruncated,
};

const numbers: Readonly<Record<NumberField, (entry: IndexEntry) => number | null>> = {
  reward: ({ reward }) => reward,
  turns: ({ turns }) => turns,
  cost: ({ cost }) => cost,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  retries: ({ retries }) => retries,
  attempt: ({ attempt }) => attempt,
  seconds: ({ start, end }) => end - start,
};

const comparisons: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
};

/** `*` stands for any characters, `?` for one; the rest is taken as it is. */
function globMatcher(glob: string): (text: string) => boolean {
  const source = glob
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const pattern = new RegExp(`^${source}$`, 's');
  return (text) => pattern.test(text);
}
