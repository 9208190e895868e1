import { VfError } from '@vf/core';

/** One thing that is met or not. */
export interface Criterion {
  /** Key of the verdict. */
  readonly name: string;
  /** Share of the score; a negative one takes away when it is met. */
  readonly weight: number;
  /** What must hold, in words. */
  readonly text: string;
}

/** Criteria as an author writes them: a text each, or one with its weight (default 1). */
export type Criteria = Readonly<
  Record<string, string | { readonly text: string; readonly weight?: number }>
>;

const head = /^[-*] ([A-Za-z][\w-]*)(?: \(weight (-?\d+(?:\.\d+)?)\))?: ?(.*)$/s;

/**
 * Reads criteria from a list, one `- name (weight 2): text` each; further lines of a text are indented.
 * @throws VfError config/invalid for a line that is neither, a name twice, or no criterion that can be won
 */
export function parseCriteria(list: string): Criterion[] {
  const criteria: { name: string; weight: number; lines: string[] }[] = [];
  for (const [i, line] of list.split(/\r?\n/).entries()) {
    const [, name, weight = '1', text = ''] = head.exec(line) ?? [];
    if (name !== undefined) criteria.push({ name, weight: Number(weight), lines: [text] });
    else if (/^\s/.test(line) || line === '')
      criteria.at(-1)?.lines.push(line.replace(/^ {2}/, ''));
    else throw unfit(`line ${i + 1} is no criterion: ${line.slice(0, 80)}`);
  }
  return checked(
    criteria.map(({ name, weight, lines }) => ({ name, weight, text: lines.join('\n').trim() })),
  );
}

/** The list that `parseCriteria` reads. */
export function formatCriteria(criteria: readonly Criterion[]): string {
  return criteria
    .map(({ name, weight, text }) => {
      const share = weight === 1 ? '' : ` (weight ${weight})`;
      return `- ${name}${share}: ${text.split(/\r?\n/).join('\n  ')}`;
    })
    .join('\n');
}

/** @throws VfError config/invalid */
export function criteriaOf(given: Criteria): Criterion[] {
  return checked(
    Object.entries(given).map(([name, one]) => ({
      name,
      weight: typeof one === 'string' ? 1 : (one.weight ?? 1),
      text: (typeof one === 'string' ? one : one.text).trim(),
    })),
  );
}

function checked(criteria: Criterion[]): Criterion[] {
  const names = criteria.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw unfit(`criterion ${twice} is there twice`);
  const odd = names.find((name) => !/^[A-Za-z][\w-]*$/.test(name));
  if (odd !== undefined) throw unfit(`"${odd}" is no name for a criterion`);
  const empty = criteria.find(({ text }) => text === '');
  if (empty !== undefined) throw unfit(`criterion ${empty.name} says nothing`);
  if (!criteria.some(({ weight }) => weight > 0)) throw unfit('no criterion has a weight above 0');
  return criteria;
}

function unfit(what: string): VfError {
  return new VfError('config/invalid', what, {
    hint: 'one criterion a line: - name (weight 2): what must hold',
  });
}
