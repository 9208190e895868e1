import { VfError, nearest } from '@vf/core/errors';
import type { Problem } from '@vf/core/errors';

export type Comparison = '<' | '<=' | '>' | '>=' | '=';

/** One term of a `--where`; all of them must hold. */
export type Term = { readonly negated: boolean } & (
  | {
      readonly type: 'number';
      readonly field: NumberField;
      readonly is: Comparison;
      readonly value: number;
    }
  | { readonly type: 'glob'; readonly field: GlobField; readonly glob: string }
  | { readonly type: 'flag'; readonly field: FlagField }
  | { readonly type: 'text'; readonly text: string }
);

export const numberFields = [
  'reward',
  'turns',
  'cost',
  'tokens',
  'retries',
  'attempt',
  'seconds',
] as const;
export const globFields = ['err', 'stop', 'task'] as const;
/** Terms without a value. */
export const flagFields = ['truncated'] as const;
export type FlagField = (typeof flagFields)[number];
export type NumberField = (typeof numberFields)[number];
export type GlobField = (typeof globFields)[number];

/**
 * Reads `reward<1 err:runtime -stop:max_turns "some text"`.
 * @throws VfError usage/invalid naming every term that is none
 */
export function parseWhere(text: string): Term[] {
  const problems: Problem[] = [];
  const terms = split(text).flatMap((word) => {
    const term = parseTerm(word);
    if ('message' in term) problems.push(term);
    return 'message' in term ? [] : [term];
  });
  if (problems.length === 0) return terms;
  throw new VfError('usage/invalid', `--where ${text}`, {
    problems,
    hint: `terms are reward<1 err:runtime stop:max_turns truncated turns>40 cost>0.5 task:django-* "text"; a leading - negates`,
  });
}

/** Words between spaces; quotes hold spaces together, a backslash before a quote makes it one of the text. */
function split(text: string): string[] {
  return [...text.matchAll(/(?:"(?:\\.|[^"\\])*"?|[^\s"])+/g)].map(([word]) => word);
}

function parseTerm(word: string): Term | Problem {
  const negated = word.startsWith('-');
  const body = negated ? word.slice(1) : word;
  if (body.startsWith('"')) return textTerm(word, body, negated);
  const flag = flagFields.find((known) => known === body);
  if (flag !== undefined) return { type: 'flag', field: flag, negated };
  const [, name = '', operator = '', value = ''] =
    /^([A-Za-z_]*)(<=|>=|<|>|=|:)(.*)$/.exec(body) ?? [];
  if (operator === '') {
    const close = nearest(body, flagFields);
    const message = 'is no term; text stands in quotes';
    return { path: word, message, ...(close === null ? {} : { nearest: close }) };
  }
  if (value === '') return { path: word, message: `lacks a value after ${operator}` };
  return operator === ':'
    ? globTerm(word, name, unquoted(value), negated)
    : numberTerm(word, name, operator as Comparison, value, negated);
}

function textTerm(word: string, body: string, negated: boolean): Term | Problem {
  if (body.length < 2 || !body.endsWith('"'))
    return { path: word, message: 'lacks its closing quote' };
  const text = unquoted(body);
  return text === '' ? { path: word, message: 'is empty' } : { type: 'text', text, negated };
}

function globTerm(word: string, name: string, glob: string, negated: boolean): Term | Problem {
  const field = globFields.find((known) => known === name);
  if (field !== undefined) return { type: 'glob', field, glob, negated };
  return wrongField(word, name, globFields, numberFields, `${name} is a number: ${name}<1`);
}

function numberTerm(
  word: string,
  name: string,
  is: Comparison,
  text: string,
  negated: boolean,
): Term | Problem {
  const field = numberFields.find((known) => known === name);
  if (field === undefined) {
    return wrongField(
      word,
      name,
      numberFields,
      globFields,
      `${name} is compared by pattern: ${name}:${text}`,
    );
  }
  const value = Number(text);
  return Number.isFinite(value)
    ? { type: 'number', field, is, value, negated }
    : { path: word, message: `${text} is no number` };
}

function wrongField(
  word: string,
  name: string,
  known: readonly string[],
  others: readonly string[],
  otherwise: string,
): Problem {
  if (flagFields.some((flag) => flag === name))
    return { path: word, message: `${name} takes no value; -${name} negates it` };
  if (others.includes(name)) return { path: word, message: otherwise };
  const close = nearest(name, [...known, ...others]);
  return {
    path: word,
    message: `there is no field "${name}"; known: ${[...numberFields, ...globFields, ...flagFields].join(', ')}`,
    ...(close === null ? {} : { nearest: close }),
  };
}

function unquoted(text: string): string {
  const inner = /^"(.*)"$/s.exec(text)?.[1];
  return inner === undefined ? text : inner.replaceAll(/\\(.)/g, '$1');
}
