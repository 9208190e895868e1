import { WholeFloat } from '../strict-json.ts';

/** What is wrong at a place of a record. */
export interface RecordProblem {
  /** `policy.revision`, `calls[2].prompt_token_ids[5]`; empty for the record itself. */
  readonly path: string;
  readonly message: string;
}

/** Looks at a value and reports what is wrong with it. */
export type Check = (value: unknown, path: string, report: Report) => void;
export type Report = (path: string, message: string) => void;

/** An object with exactly these keys. */
export function record(
  keys: Readonly<Record<string, Check>>,
  optional: ReadonlySet<string> = new Set(),
): Check {
  return (value, path, report) => {
    if (!isObject(value)) return report(path, `must be an object, is ${nameOf(value)}`);
    for (const key of Object.keys(value))
      if (!Object.hasOwn(keys, key)) report(join(path, key), 'is no field of the contract');
    for (const [key, check] of Object.entries(keys)) {
      if (Object.hasOwn(value, key)) check(value[key], join(path, key), report);
      else if (!optional.has(key)) report(join(path, key), 'is missing');
    }
  };
}

export function list(check: Check): Check {
  return (value, path, report) => {
    if (!Array.isArray(value)) return report(path, `must be a list, is ${nameOf(value)}`);
    value.forEach((item, at) => check(item, `${path}[${at}]`, report));
  };
}

/** A rule on top of another check, for values that this one accepts. */
export function also(check: Check, rule: Check): Check {
  return (value, path, report) => {
    let isSound = true;
    check(value, path, (where, message) => {
      isSound = false;
      report(where, message);
    });
    if (isSound) rule(value, path, report);
  };
}

export const text: Check = (value, path, report) => {
  if (typeof value !== 'string') report(path, `must be text, is ${nameOf(value)}`);
};

export const nonEmptyText: Check = (value, path, report) => {
  if (typeof value !== 'string' || value.trim() === '')
    report(path, `must be text that is not empty, is ${nameOf(value)}`);
};

/** An integer of at least 0, written as one. */
export const naturalNumber: Check = (value, path, report) => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    report(path, `must be an integer of at least 0, is ${nameOf(value)}`);
};

export const finiteNumber: Check = (value, path, report) => {
  const number = value instanceof WholeFloat ? value.value : value;
  if (typeof number !== 'number' || !Number.isFinite(number))
    report(path, `must be a finite number, is ${nameOf(value)}`);
};

export const logprob: Check = (value, path, report) => {
  const number = value instanceof WholeFloat ? value.value : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number > 0)
    report(path, `must be a finite number of at most 0, is ${nameOf(value)}`);
};

export function oneOf(allowed: readonly (string | number)[]): Check {
  return (value, path, report) => {
    if (!allowed.some((each) => each === value))
      report(
        path,
        `must be ${allowed.map((each) => JSON.stringify(each)).join(' or ')}, is ${nameOf(value)}`,
      );
  };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof WholeFloat)
  );
}

const longest = 40;

function nameOf(value: unknown): string {
  if (value === undefined) return 'absent';
  if (value instanceof WholeFloat) return `the float ${value.value}.0`;
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  if (typeof value === 'number') return String(value);
  const shown = JSON.stringify(value) ?? typeof value;
  return shown.length > longest ? `${shown.slice(0, longest)}…` : shown;
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
